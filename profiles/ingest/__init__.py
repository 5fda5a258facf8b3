"""From dumps to profiles: read, filter, group, load. Restartable at every step, and bounded in memory."""
