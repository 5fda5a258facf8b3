"""`bin/_tests all`: a few failures are tried once more, alone. Its Python is a small one of ours here."""

import json
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
*--last-failed*) exit {alone} ;;
*) exit {among_others} ;;
esac
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


def copy_script(folder: Path, among_others: int, alone: int) -> Path:
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(FAKE.format(python=sys.executable, among_others=among_others, alone=alone))
    python.chmod(0o755)
    return Path(shutil.copy(Path(__file__).parents[1] / "bin" / "_tests", folder))


def note_failures(folder: Path, count: int) -> None:
    if count:
        cache = folder / ".pytest_cache" / "v" / "cache"
        cache.mkdir(parents=True)
        (cache / "lastfailed").write_text(
            json.dumps({f"tests/test_x.py::test_{number}": True for number in range(count)})
        )
