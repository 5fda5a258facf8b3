"""Merge all shards into one file: the comments of all profiles, account by account, always in the same order."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import ibis
import pyarrow as pa
import pyarrow.parquet as pq

from profiles.ingest.columns import KEPT_COLUMNS
from profiles.ingest.comment_batches import GROUPED_SCHEMA
from profiles.ingest.engine import connect, cores, quoted
from profiles.ingest.funnel import Rule
from profiles.ingest.groups import (
    ACCOUNT_COLUMNS,
    BOT_COLUMNS,
    accounts_with_rules,
    comments_of_profiles,
    known_bots,
    removed_comments,
)
from profiles.ingest.options import Options

MEMORY = "640MB"
THREADS = 2  # each keeps 122,880 rows in memory while sorting, so more threads need more memory
SORT_SQL = (
    "COPY (SELECT * FROM ({query}) ORDER BY account, id, copy, created, body) "
    "TO {part} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, "
    "ROW_GROUP_SIZE 20480, ROW_GROUP_SIZE_BYTES 16777216)"
)


def merge_shards(shards: Sequence[Path], options: Options, into: Path) -> dict[str, int]:
    """Write the merged file. Return how many comments each rule about accounts removed.

    Sorting spills to the disk beside the file.
    """
    part = into.with_suffix(".part")
    with connect(into.parent, memory=MEMORY) as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(f"SET threads = {min(cores(), THREADS)}")
        names = ", ".join(quoted(str(shard)) for shard in shards)
        connection.execute(f"CREATE VIEW kept AS SELECT * FROM read_parquet([{names}])")
        connection.register("bots", pa.table({"bot": sorted(known_bots())}))
        accounts, comments, removed = _queries(options)
        connection.execute(f"CREATE TEMP TABLE accounts AS {accounts}")
        query = f"SELECT {', '.join(GROUPED_SCHEMA.names)} FROM ({comments})"
        connection.execute(SORT_SQL.format(query=query, part=quoted(str(part))))
        counts = {rule: int(count) for rule, count in connection.execute(removed).fetchall() if rule}
        total = connection.execute("SELECT count(*) FROM kept").fetchone()
    part.replace(into)
    left = pq.ParquetFile(into).metadata.num_rows
    duplicates = (total[0] if total else 0) - sum(counts.values()) - left
    return counts | ({Rule.DUPLICATE.value: duplicates} if duplicates else {})


@lru_cache(maxsize=8)
def _queries(options: Options) -> tuple[str, str, str]:
    """SQL for the accounts, the comments of profiles, and what was removed. Generating it takes a tenth of a second."""
    kept, bots = ibis.table(KEPT_COLUMNS, name="kept"), ibis.table(BOT_COLUMNS, name="bots")
    accounts = ibis.table(ACCOUNT_COLUMNS, name="accounts")
    expressions = (
        accounts_with_rules(kept, bots, options),
        comments_of_profiles(kept, accounts, options),
        removed_comments(accounts),
    )
    ruled, comments, removed = (str(ibis.to_sql(expression, dialect="duckdb")) for expression in expressions)
    return ruled, comments, removed
