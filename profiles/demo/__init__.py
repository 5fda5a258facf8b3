"""The project's own corpus: invented people, their comments, and what the comments give away."""
