"""A judge model for guesses that the rules call wrong, and people who check a sample of its verdicts blind."""
