"""The tests themselves: what is pure runs without any server."""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
NOWHERE = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://127.0.0.1:1/0"}


def test_pure_tests_need_no_server():
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "DJANGO_"))}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/evaluation/stats",
    ]
    ran = subprocess.run(command, cwd=PROJECT, env=kept | NOWHERE, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
