"""A baseline against masks on the gold of the demo study, so that a new study has a run to look at."""
