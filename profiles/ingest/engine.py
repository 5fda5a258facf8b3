"""DuckDB inside this process, with a memory limit and a folder to spill to."""

import os
from functools import lru_cache
from pathlib import Path

import duckdb
import ibis

from profiles.ingest.columns import RAW_COLUMNS
from profiles.ingest.options import Options
from profiles.ingest.rules import KEPT_CODE, apply_rules

MEMORY = "384MB"
SPILL = "spill"
ANY_SOURCE = "source of lines"
LINE = "line"  # the number of a line in its chunk: an engine may return rows in any order


def connect(scratch: Path, *, memory: str = MEMORY, spill: str = SPILL) -> duckdb.DuckDBPyConnection:
    """Open an in-memory database. Two connections must not share a spill folder."""
    return duckdb.connect(config={
        "memory_limit": memory, "threads": cores(), "temp_directory": str(scratch / spill),
        "autoinstall_known_extensions": False, "enable_external_file_cache": False,
    })  # fmt: skip


def cores() -> int:
    return len(os.sched_getaffinity(0))


def rules_sql(source: str, options: Options) -> str:
    """The rules as DuckDB's SQL over the named table or view, which numbers its lines.

    It returns one row: the rule of each line, and the comments that are kept, both in the order of the lines. A row per
    line would be mostly empty.
    """
    return _rules_sql_template(options).replace(f'"{ANY_SOURCE}"', f'"{source}"')


@lru_cache(maxsize=8)
def _rules_sql_template(options: Options) -> str:
    """Generating the SQL takes a third of a second."""
    raw = ibis.table(RAW_COLUMNS | {LINE: "int64"}, name=ANY_SOURCE)
    lines = ibis.to_sql(apply_rules(raw, options), dialect="duckdb")
    kept = f"list(comment ORDER BY {LINE}) FILTER (rule = {KEPT_CODE})"
    return f"SELECT list(rule ORDER BY {LINE}) AS rules, {kept} AS kept FROM ({lines})"


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
