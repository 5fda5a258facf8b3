"""From dumps to profiles: read, filter, group, load. Restartable at every step, with bounded memory."""

import os

# DuckDB's allocator reads this once, when it is imported: keep freed memory for a minute. By default it is returned to
# the system after a second, and every chunk of a dump would begin with fresh pages to find and clear (ADR 12).
os.environ.setdefault("DUCKDB_JE_MALLOC_CONF", "dirty_decay_ms:60000")
