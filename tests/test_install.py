"""`bin/_install` finds a Python that fits, the fastest first."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FAKE = """#!/bin/sh
exec {python} -c "import sys; sys.version_info = ({major}, {minor}, 0, 'final', 0); exec(sys.argv[1])" "$2"
"""


def find_python(folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Ask the script with no other Pythons on the path than those in the folder."""
    environment = {"PATH": str(folder), **more}
    return subprocess.run(
        ["/bin/bash", "-c", ". bin/_install none; find_python"],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def fake(tmp_path):
    """Make a command that claims to be another Python."""

    def make(name: str, version: str) -> Path:
        major, minor = version.split(".")
        command = tmp_path / name
        command.write_text(FAKE.format(python=os.path.realpath("/proc/self/exe"), major=major, minor=minor))
        command.chmod(0o755)
        return command

    return make


def test_takes_the_fastest_that_is_there(fake, tmp_path):
    for version in ("3.14", "3.12", "3.11", "3.13"):
        fake(f"python{version}", version)
    chosen = []
    while (answer := find_python(tmp_path)).returncode == 0:
        chosen.append(Path(answer.stdout.strip()))
        chosen[-1].unlink()
    assert [path.name for path in chosen] == ["python3.13", "python3.11", "python3.12", "python3.14"]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_takes_what_a_distribution_calls_python3(fake, tmp_path, version):
    fake("python3", version)
    assert find_python(tmp_path).stdout.strip() == str(tmp_path / "python3")


@pytest.mark.parametrize("version", ["2.7", "3.10", "3.15"])
def test_refuses_others_and_says_what_it_needs(fake, tmp_path, version):
    fake("python3", version)
    answer = find_python(tmp_path)
    assert answer.returncode == 1
    assert "TELLTALE_PYTHON" in answer.stderr


def test_skips_a_command_that_does_not_start(fake, tmp_path):
    """Such as pyenv's, for versions that are installed but not chosen."""
    (tmp_path / "python3.13").write_text("#!/bin/sh\nexit 127\n")
    (tmp_path / "python3.13").chmod(0o755)
    fake("python3.12", "3.12")
    assert find_python(tmp_path).stdout.strip() == str(tmp_path / "python3.12")


def test_takes_the_one_that_was_named(fake, tmp_path):
    fake("python3.13", "3.13")
    mine = fake("mine", "3.12")
    assert find_python(tmp_path, TELLTALE_PYTHON=str(mine)).stdout.strip() == str(mine)
