"""From dumps to profiles: read, filter, group, load. Restartable at every step, with bounded memory."""

import os

# Keep freed memory for a minute; DuckDB's allocator reads this once, on import. By default, memory is returned to the
# system after a second, and the kernel would have to find and clear fresh pages for every chunk of a dump (ADR 12).
os.environ.setdefault("DUCKDB_JE_MALLOC_CONF", "dirty_decay_ms:60000")
