"""DuckDB inside this process, with a memory limit and a folder to spill to."""

import os
from functools import lru_cache
from pathlib import Path

import duckdb
import ibis

from profiles.ingest.options import Options
from profiles.ingest.rules import KEPT_CODE, LISTED_COLUMNS, RAW_COLUMNS, apply_rules

MEMORY = "384MB"
SPILL = "spill"
ANY_SOURCE = "source of lines"


def connect(scratch: Path, options: Options, *, memory: str = MEMORY, spill: str = SPILL) -> duckdb.DuckDBPyConnection:
    """Open a database in memory that has the list of subreddits. No two may spill into the same folder."""
    connection = duckdb.connect(config={
        "memory_limit": memory, "threads": cores(), "temp_directory": str(scratch / spill),
        "autoinstall_known_extensions": False, "enable_external_file_cache": False,
    })  # fmt: skip
    connection.execute("CREATE TABLE listed (listed VARCHAR)")
    connection.execute("INSERT INTO listed SELECT unnest($names)", {"names": list(options.names)})
    return connection


def keep_order(connection: duckdb.DuckDBPyConnection) -> None:
    """Keep the order of rows, by which odd lines are found again.

    A join mixes rows up when several threads share it, or when it is built on the lines because these are fewer than
    the list. So a query has one thread, and several queries run at once (ADR 12).
    """
    connection.execute("SET threads = 1")
    connection.execute("SET disabled_optimizers = 'build_side_probe_side'")


def cores() -> int:
    return len(os.sched_getaffinity(0))


def rules_sql(source: str, options: Options) -> str:
    """The rules as DuckDB's SQL over the named table or view.

    It returns one row: the rule of each line, and the comments that are kept. A row per line would be mostly empty.
    """
    return _rules_sql_template(options).replace(f'"{ANY_SOURCE}"', f'"{source}"')


@lru_cache(maxsize=8)
def _rules_sql_template(options: Options) -> str:
    """Generating the SQL takes a third of a second."""
    raw, listed = ibis.table(RAW_COLUMNS, name=ANY_SOURCE), ibis.table(LISTED_COLUMNS, name="listed")
    lines = ibis.to_sql(apply_rules(raw, listed, options), dialect="duckdb")
    return f"SELECT list(rule) AS rules, list(comment) FILTER (rule = {KEPT_CODE}) AS kept FROM ({lines})"


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
