"""A baseline on the gold of the demo study, so that a new study has a model run to look at."""
