"""Where a detector goes wrong, and where the gold may be wrong itself. Items quote texts; counts don't."""
