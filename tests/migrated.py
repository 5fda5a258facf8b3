"""Run a command with servers whose database has all migrations: `python -m tests.migrated [--anew] COMMAND …`.

Migrating takes seconds, so the migrated database is kept for as long as the migrations stay the same. Each test process
clones it, and applies what it lacks. With --anew, it is made in any case. Without a command, it is only made.
"""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from annotator.embedded.home import PROJECT, Home, make_home
from annotator.embedded.locks import holding
from annotator.embedded.throwaway import run_with_servers, throwaway_home

KEPT = PROJECT / ".boot" / "migrated"
# What a migrated database depends on: migrations and what they import, packages with theirs, options of the cluster.
SOURCES = ("*/migrations/*.py", "*/models/*.py", "requirements-test.lock", "annotator/embedded/postgres.py")
MIGRATE = [sys.executable, str(PROJECT / "manage.py"), "migrate", "--verbosity", "0"]


def main(arguments: list[str]) -> int:
    anew = "--anew" in arguments[:1]
    command = arguments[anew:]
    with throwaway_home() as home:
        with holding(KEPT.with_suffix(".lock"), wait=True):
            data = migrated_data(anew=anew)
            copy_data(data, home)
            copy_data(data, migrated_home(home))
        return run_with_servers(home, command) if command else 0


def migrated_home(home: Home) -> Home:
    """Where a throwaway home has a copy that no test changes, for tests with installations of their own."""
    return Home(home.root / "migrated")


def migrated_data(*, anew: bool = False, kept: Path = KEPT) -> Path:
    """A Postgres data folder: the kept one, unless migrations have changed since, or a new one."""
    data = kept / sources_digest()
    if anew or not data.exists():
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        _migrate_into(data)
    return data


def sources_digest(project: Path = PROJECT) -> str:
    files = sorted(path for pattern in SOURCES for path in project.glob(pattern))
    contents = [f"{path.relative_to(project)}\n".encode() + path.read_bytes() for path in files]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:20]


def copy_data(data: Path, home: Home) -> None:
    make_home(home)
    _copy(data, home.postgres / "data")


def _migrate_into(data: Path) -> None:
    """Migrate in a folder that Postgres may enter, and move the result into place when it is complete."""
    draft = data.with_name("draft")
    with throwaway_home() as home:
        if code := run_with_servers(home, MIGRATE):
            sys.exit(code)
        _copy(home.postgres / "data", draft)
    draft.rename(data)


def _copy(source: Path, target: Path) -> None:
    """Keep the owner: as root, Postgres runs as another account."""
    subprocess.run(["cp", "--archive", str(source), str(target)], check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
