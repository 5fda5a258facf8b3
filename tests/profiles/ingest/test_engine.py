"""DuckDB still reads the allocator setting that `profiles.ingest` makes."""

import os
import subprocess
import sys

VARIABLE = "DUCKDB_JE_MALLOC_CONF"


def import_duckdb(**environment: str) -> str:
    """What a new process writes to stderr."""
    code = f"import profiles.ingest, os, duckdb; duckdb.sql('SELECT 1').fetchall(); print(os.environ['{VARIABLE}'])"
    env = {name: value for name, value in os.environ.items() if name != VARIABLE} | environment
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return ran.stderr


def test_the_allocator_accepts_our_setting():
    assert import_duckdb() == ""


def test_the_allocator_reads_the_variable():
    """It complains about an option that does not exist, so it has read the others."""
    assert "no_such_option" in import_duckdb(**{VARIABLE: "no_such_option:1"})
