"""From dumps to profiles: read, filter, group, load. Restartable at every step, and bounded in memory."""

import os

# Read once, when DuckDB is imported: memory that it has freed stays at hand for a minute. By itself it gives it back
# after a second, and every chunk of a dump begins with memory that the system has to find and clear.
os.environ.setdefault("DUCKDB_JE_MALLOC_CONF", "dirty_decay_ms:60000")
