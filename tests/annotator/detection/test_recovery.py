"""Detection continues whatever is killed, and ends as if nothing had happened."""

import json
import signal
import subprocess

import psycopg
import pytest

from tests.annotator.embedded.installation import PATIENCE, Installation, fetch, free_port, kill, wait_until

pytestmark = [pytest.mark.processes, pytest.mark.long]

COMMENTS, PADDING = 1_600, 600  # chunks are cut by length, and spaces take no time to analyse
MAKE = f"""
from datetime import UTC, datetime
from profiles.bulk_load import CommentRecord, ProfileRecord, load_profiles
from profiles.models import Corpus
towns, names = ["Oslo", "Houston", "Leeds", "Nairobi", "Quito"], ["Ada", "Tariq", "Mei", "Jonas", "Lucia"]
def text(n):
    who, here, there = f"{{names[n % 5]}} {{names[n // 7 % 5]}}son", towns[n % 5], towns[n // 5 % 5]
    said = f"{{who}} moved from {{here}} to {{there}} in week {{n}}."
    said += f" Write to box{{n}}@example.org or call 212-555-{{1000 + n % 9000}}." if n % 9 == 0 else ""
    return said + " " * {PADDING}
records = [
    ProfileRecord(f"account{{p}}", [
        CommentRecord(f"c{{n}}", "AskReddit", datetime(2013, 5, 1, tzinfo=UTC), text(n))
        for n in range(p * 400, p * 400 + 400)
    ])
    for p in range({COMMENTS} // 400)
]
for name in ("calm", "disturbed"):
    load_profiles(Corpus.objects.create(name=name), records)
"""
DETECTIONS = """
    SELECT comment.reddit_id, entity_type, start, "end", score
    FROM profiles_detection detection JOIN profiles_comment comment ON comment.id = detection.comment_id
    JOIN profiles_detectionrun run ON run.id = detection.run_id JOIN profiles_corpus corpus ON corpus.id = run.corpus_id
    WHERE corpus.name = %s ORDER BY 1, 2, 3, 4
"""
DONE = """
    SELECT count(done_at), count(*), coalesce(sum(comment_count), 0) FROM profiles_detectionchunk chunk
    JOIN profiles_detectionrun run ON run.id = chunk.run_id JOIN profiles_corpus corpus ON corpus.id = run.corpus_id
    WHERE corpus.name = %s
"""


def ask(installation: Installation, query: str, corpus: str) -> list[tuple]:
    with psycopg.connect(host=str(installation.home / "sockets"), dbname="telltale", user="telltale") as database:
        return database.execute(query, [corpus]).fetchall()


def is_half_done(installation: Installation) -> bool:
    done, cut, _ = ask(installation, DONE, "disturbed")[0]
    return 0 < done < cut - 2


@pytest.fixture
def study(migrated: Installation) -> Installation:
    """Two corpora with the same comments, one of them analysed in peace."""
    result = migrated.run("shell", "-c", MAKE)
    assert result.returncode == 0, result.stderr
    return migrated


def up(installation: Installation) -> subprocess.Popen[str]:
    port = free_port()
    process = installation.start("up", "--no-demo", "--workers", "2", "--port", str(port))
    wait_until(lambda: fetch(port, "/readyz") == 200 or process.poll() is not None)
    assert process.poll() is None, process.communicate()[0]
    return process


def detect(installation: Installation, corpus: str) -> None:
    done = installation.run("run_detection", "--corpus", corpus, "--wait")
    assert done.returncode == 0, done.stdout + done.stderr


def assert_nothing_was_lost(installation: Installation) -> None:
    calm, disturbed = ask(installation, DETECTIONS, "calm"), ask(installation, DETECTIONS, "disturbed")
    assert len(calm) > COMMENTS
    assert {kind for _, kind, *_ in calm} >= {"EMAIL_ADDRESS", "PHONE_NUMBER", "LOCATION", "PERSON"}
    assert json.dumps(calm) == json.dumps(disturbed)
    done, cut, comments = ask(installation, DONE, "disturbed")[0]
    assert (done, int(comments)) == (cut, COMMENTS)


def pool_processes(installation: Installation) -> list[int]:
    """Those that do the work, without the worker that looks after them."""
    main = installation.pid_of("telltale-worker")
    return [pid for pid in installation.pids_of("telltale-worker") if pid != main]


def lose_the_broker(installation: Installation) -> None:
    """With all that it held. It comes back empty."""
    before = installation.pid_of("valkey-server:")
    for file in installation.home.rglob("*.aof*"):
        file.unlink()
    kill(before)
    wait_until(lambda: set(installation.pids_of("valkey-server:")) - {before})


def test_workers_and_broker_are_killed_in_the_middle(study: Installation):
    running = up(study)
    detect(study, "calm")
    study.run("run_detection", "--corpus", "disturbed")
    wait_until(lambda: is_half_done(study))
    for pid in pool_processes(study):
        kill(pid)
    before = ask(study, DONE, "disturbed")[0][0]
    wait_until(lambda: ask(study, DONE, "disturbed")[0][0] > before)  # others have taken their place
    lose_the_broker(study)
    detect(study, "disturbed")
    assert_nothing_was_lost(study)
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=PATIENCE)
