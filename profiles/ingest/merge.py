"""Merge all shards into one file: the comments of all profiles, account by account, always in the same order."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from profiles.ingest.columns import GROUPED_COLUMNS
from profiles.ingest.engine import connect, cores, quoted
from profiles.ingest.funnel import Rule
from profiles.ingest.groups import REMOVED_SQL, accounts_with_rules, comments_of_profiles, known_bots
from profiles.ingest.options import Options
from profiles.ingest.shards import files_of

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
        names = ", ".join(quoted(files_of(shard)) for shard in shards)
        connection.execute(f"CREATE VIEW kept AS SELECT * FROM read_parquet([{names}])")
        connection.execute("CREATE TEMP TABLE bots AS SELECT unnest(?::VARCHAR[]) AS bot", [sorted(known_bots())])
        connection.execute(f"CREATE TEMP TABLE accounts AS {accounts_with_rules(options)}")
        query = f"SELECT {', '.join(GROUPED_COLUMNS)} FROM ({comments_of_profiles(options)})"
        connection.execute(SORT_SQL.format(query=query, part=quoted(str(part))))
        removed = {rule: int(count) for rule, count in connection.execute(REMOVED_SQL).fetchall() if rule}
        duplicates = _count(connection, "kept") - sum(removed.values()) - _count(connection, _parquet(part))
    part.replace(into)
    return removed | ({Rule.DUPLICATE.value: duplicates} if duplicates else {})


def count_comments(grouped: Path) -> int:
    with connect(grouped.parent) as connection:
        return _count(connection, _parquet(grouped))


def _parquet(file: Path) -> str:
    return f"read_parquet({quoted(str(file))})"


def _count(connection: duckdb.DuckDBPyConnection, source: str) -> int:
    counts: list[tuple[int]] = connection.execute(f"SELECT count(*) FROM {source}").fetchall()
    return counts[0][0]
