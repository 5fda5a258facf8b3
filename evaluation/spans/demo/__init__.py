"""A small gold standard of our own, so that a new study has a span evaluation to look at."""
