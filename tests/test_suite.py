"""The tests themselves: pure tests run without any server, and nothing is computed or compiled twice."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

PROJECT = Path(__file__).resolve().parents[1]
NOWHERE = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://127.0.0.1:1/0"}


@pytest.mark.long
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


def test_compiled_modules_are_kept():
    """Otherwise every process that a test starts compiles the whole site, and each collects twice as long."""
    assert not sys.dont_write_bytecode, "unset PYTHONDONTWRITEBYTECODE, as bin/test does"


def test_linear_algebra_uses_one_thread():
    matrix, began, own = np.ones((600, 600)), time.process_time(), time.thread_time()
    for _ in range(10):
        matrix @ matrix
    assert time.process_time() - began < 1.2 * (time.thread_time() - own)
