"""What a detector is worth, by other people's rules and by our own. Nothing to count is None, never 0."""
