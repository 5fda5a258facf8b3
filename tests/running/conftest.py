import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.running.installation import Installation, kill


@pytest.fixture
def installation() -> Iterator[Installation]:
    """An installation in a short path of its own. Nothing of it may be left at the end."""
    with TemporaryDirectory(prefix="tt-") as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as somebody else and must get in
        made = Installation(Path(folder) / "home")
        yield made
        left = made.processes()
        for pid in left:
            kill(pid)
    assert not left, f"left behind: {left}"


@pytest.fixture(scope="session")
def migrated_home() -> Iterator[Path]:
    """A home whose database is up to date, made once: copying it is quicker than making it."""
    with TemporaryDirectory(prefix="tt-") as folder:
        Path(folder).chmod(0o755)
        made = Installation(Path(folder) / "home")
        done = made.run("migrate", "--verbosity", "0")
        assert done.returncode == 0, done.stderr
        yield made.home


@pytest.fixture
def migrated(installation: Installation, migrated_home: Path) -> Installation:
    subprocess.run(["cp", "--archive", str(migrated_home), str(installation.home)], check=True)
    return installation
