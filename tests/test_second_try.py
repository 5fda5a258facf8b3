"""`bin/_tests all`: a few failures are tried once more, alone. Its Python is a small one of ours here."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FAKE = """#!/bin/sh
echo "$*" >>calls
case "$*" in
-c*) exec {python} "$@" ;;
*makemigrations*) exit 0 ;;
*"--last-failed --randomly-seed=last") exit {alone} ;;
*) exit {among_others} ;;
esac
"""

PROJECT = Path(__file__).parents[1]
UNLUCKY = """
from hypothesis import given, strategies
from tests.chance import load_profile
load_profile()

@given(strategies.integers(0, 10**9))
def test_property(number):
    with open("examples", "a") as file:
        print(number, file=file)
    assert number < 10**6
"""


@pytest.mark.parametrize(
    ("which", "failures", "statuses", "ends"),
    [
        ("all", 0, (0, 0), (0, 1)),
        ("all", 1, (1, 0), (0, 2)),
        ("all", 3, (1, 0), (0, 2)),
        ("all", 1, (1, 1), (1, 2)),
        ("all", 4, (1, 0), (1, 1)),  # never chance
        ("all", 1, (3, 0), (3, 1)),  # pytest broke down
        ("all", 0, (1, 0), (1, 1)),  # no list of failures
        ("quick", 1, (1, 0), (1, 1)),
    ],
)
def test_only_a_few_failures_are_tried_again(tmp_path, which, failures, statuses, ends):
    status, runs = ends
    script = copy_script(tmp_path, *statuses)
    note_failures(tmp_path, failures)
    result = subprocess.run(["bash", script, which], check=False, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == status
    assert (tmp_path / "calls").read_text().count("-m pytest") == runs
    assert ("test_0" in result.stdout) == (runs == 2)


def test_a_test_draws_the_same_values_among_others_and_alone(request):
    seed = f"{request.config.getoption('randomly_seed')} {request.node.nodeid}"
    assert random.random() == random.Random(seed).random()  # noqa: S311


def test_an_example_that_failed_is_the_first_to_be_tried_again(tmp_path):
    (tmp_path / "test_unlucky.py").write_text(UNLUCKY)
    smallest = min(example for example in failing_examples(tmp_path) if example >= 10**6)
    assert failing_examples(tmp_path)[0] == smallest


def failing_examples(folder: Path) -> list[int]:
    """Run the property as CI does, where Hypothesis keeps no examples by itself; return those that it tried."""
    (folder / "examples").unlink(missing_ok=True)
    env = os.environ | {"CI": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", "pytest", "-q"]
    result = subprocess.run(command, check=False, cwd=folder, env=env, capture_output=True, text=True)
    assert "1 failed" in result.stdout, result.stdout + result.stderr
    return [int(example) for example in (folder / "examples").read_text().split()]


def copy_script(folder: Path, among_others: int, alone: int) -> Path:
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(FAKE.format(python=sys.executable, among_others=among_others, alone=alone))
    python.chmod(0o755)
    return Path(shutil.copy(PROJECT / "bin" / "_tests", folder))


def note_failures(folder: Path, count: int) -> None:
    if count:
        cache = folder / ".pytest_cache" / "v" / "cache"
        cache.mkdir(parents=True)
        (cache / "lastfailed").write_text(
            json.dumps({f"tests/test_x.py::test_{number}": True for number in range(count)})
        )
