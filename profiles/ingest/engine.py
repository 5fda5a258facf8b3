"""DuckDB inside this process, with a memory limit and a folder to spill to."""

import os
from collections.abc import Mapping
from pathlib import Path

import duckdb

MEMORY = "384MB"
SPILL = "spill"
LINE = "line"  # the number of a line in its chunk: an engine may return rows in any order


def connect(scratch: Path, *, memory: str = MEMORY, spill: str = SPILL) -> duckdb.DuckDBPyConnection:
    """Open an in-memory database. Two connections must not share a spill folder."""
    return duckdb.connect(config={
        "memory_limit": memory, "threads": cores(), "temp_directory": str(scratch / spill),
        "autoinstall_known_extensions": False, "enable_external_file_cache": False,
    })  # fmt: skip


def create_table(connection: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, str]) -> None:
    connection.execute(f"CREATE OR REPLACE TABLE {name} ({', '.join(f'{c} {kind}' for c, kind in columns.items())})")


def cores() -> int:
    return len(os.sched_getaffinity(0))


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
