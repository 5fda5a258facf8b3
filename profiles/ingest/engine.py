"""DuckDB inside this process, with a limit on its memory and a place to spill to."""

import os
from functools import lru_cache
from pathlib import Path

import duckdb
import ibis

from profiles.ingest.options import Options
from profiles.ingest.rules import IS_KEPT, LISTED, RAW, judged

MEMORY = "384MB"
SPILL = "spill"
ANY_SOURCE = "source of lines"


def connect(scratch: Path, options: Options, *, memory: str = MEMORY, spill: str = SPILL) -> duckdb.DuckDBPyConnection:
    """A new database in memory that knows the list of subreddits. No two may spill into the same folder."""
    connection = duckdb.connect(config={
        "memory_limit": memory, "threads": cores(), "temp_directory": str(scratch / spill),
        "autoinstall_known_extensions": False, "enable_external_file_cache": False,
    })  # fmt: skip
    connection.execute("CREATE TABLE listed (listed VARCHAR)")
    connection.execute("INSERT INTO listed SELECT unnest($names)", {"names": list(options.names)})
    return connection


def keep_order(connection: duckdb.DuckDBPyConnection) -> None:
    """Rows come out as they went in. A join mixes them up when several threads share it, or when it is built on the
    lines because these are fewer than the list. So a query has one thread, and several queries run at once."""
    connection.execute("SET threads = 1")
    connection.execute("SET disabled_optimizers = 'build_side_probe_side'")


def cores() -> int:
    return len(os.sched_getaffinity(0))


def judging_sql(source: str, options: Options) -> str:
    """The rules as DuckDB speaks them, over the table or view of that name.

    One row: the rule of each line, and the comments that are kept. A row for each line would be mostly empty.
    """
    return _judging_sql(options).replace(f'"{ANY_SOURCE}"', f'"{source}"')


@lru_cache(maxsize=8)
def _judging_sql(options: Options) -> str:
    """Written once: that takes a third of a second."""
    raw, listed = ibis.table(RAW, name=ANY_SOURCE), ibis.table(LISTED, name="listed")
    lines = ibis.to_sql(judged(raw, listed, options), dialect="duckdb")
    return f"SELECT list(rule) AS rules, list(comment) FILTER (rule = {IS_KEPT}) AS kept FROM ({lines})"


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
