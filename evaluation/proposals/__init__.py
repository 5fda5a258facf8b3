"""Grow the subreddit list: a language model proposes subreddits, and a person decides about each."""
