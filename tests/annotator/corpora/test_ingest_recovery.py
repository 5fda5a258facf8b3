"""An ingest that is killed resumes where it stopped, and ends as if nothing had happened."""

import json
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
import zstandard

from annotator.embedded.home import Home
from annotator.embedded.servers import hold_servers
from tests.annotator.embedded.installation import Installation, kill, wait_until

LINES = 150_000
pytestmark = [pytest.mark.processes, pytest.mark.long]


@pytest.fixture(scope="module")
def dump(tmp_path_factory) -> Path:
    """Enough to be caught in the middle of reading, and in the middle of loading."""
    folder = tmp_path_factory.mktemp("dumps")
    path = folder / "RC_2013-05.zst"
    lines = (
        json.dumps({
            "author": f"a{n % 997}", "body": f"comment number {n} and some words more " * 4, "id": f"c{n:06d}",
            "created_utc": str(1367366400 + n), "subreddit": f"place{n % 50}",
        })
        for n in range(LINES)
    )  # fmt: skip
    path.write_bytes(zstandard.compress("\n".join(lines).encode(), level=1))
    return path


def ask(installation: Installation, query: str) -> int:
    with psycopg.connect(host=str(installation.home / "sockets"), dbname="telltale", user="telltale") as database:
        return database.execute(query).fetchone()[0]


def is_reading(installation: Installation) -> bool:
    return any(installation.home.glob("ingest/*/*.part"))


def is_loading(installation: Installation) -> bool:
    return any(installation.home.glob("ingest/*/grouped.parquet")) and ask(installation, COMMENTS) > 0


COMMENTS = "SELECT count(*) FROM profiles_comment"
COUNTS = {
    COMMENTS: LINES,
    "SELECT count(*) FROM profiles_profile": 997,
    "SELECT sum(comment_count) FROM profiles_profile": LINES,
    "SELECT sum(comment_count) FROM profiles_presence": LINES,
    "SELECT (funnel->-1->>'left')::int FROM profiles_corpus WHERE ready_at IS NOT NULL": LINES,
    "SELECT count(*) FROM profiles_dumpfile WHERE state = 'loaded'": 1,
}


@pytest.mark.parametrize("is_caught", [is_reading, is_loading])
def test_killed_and_run_again(migrated: Installation, dump: Path, is_caught: Callable[[Installation], bool]):
    command = ("ingest_dumps", str(dump), "--corpus", "killed", "--subreddits", "all")
    process = migrated.start(*command)
    wait_until(lambda: is_caught(migrated))
    kill(process.pid)
    process.communicate()
    with hold_servers(Home(migrated.home)):
        left = ask(migrated, COMMENTS), ask(migrated, "SELECT count(ready_at) FROM profiles_corpus")
    assert left[0] < LINES  # it was caught in the middle
    assert left[1] == 0  # and nothing half-loaded is to be seen
    wait_until(lambda: not any("unpacker" in command for command in migrated.processes().values()))
    done = migrated.run(*command)
    assert done.returncode == 0, done.stderr
    with hold_servers(Home(migrated.home)):
        assert {query: ask(migrated, query) for query in COUNTS} == COUNTS
    assert not list(migrated.home.glob("ingest/*"))
