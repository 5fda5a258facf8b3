"""The helper that detects for a worker process, and ends when nobody calls it."""

import os
import signal
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest

from annotator.detection import worker
from annotator.detection.helper import LOWEST_PRIORITY, Helper, HelperEnded
from tests.annotator.embedded.installation import PATIENCE, Installation, free_port, kill, wait_until

MAKE = """
from datetime import UTC, datetime
from profiles.bulk_load import CommentRecord, ProfileRecord, load_profiles
from profiles.models import Corpus
for name in ("first", "second"):
    comments = [CommentRecord(f"{name}{n}", "AskReddit", datetime(2013, 5, 1, tzinfo=UTC), "Ada moved to Oslo.")
                for n in range(20)]
    load_profiles(Corpus.objects.create(name=name), [ProfileRecord("account", comments)])
"""


class Unlucky(Exception):
    pass


def fail() -> bool:
    raise Unlucky("as told")


@pytest.fixture
def helpers() -> Iterator[list[Helper]]:
    """Those that a test starts. They are ended with it."""
    helpers: list[Helper] = []
    yield helpers
    for helper in helpers:
        helper.end()


def test_everything_else_goes_first(helpers):
    helpers.append(Helper(lambda: os.getpriority(os.PRIO_PROCESS, 0) == LOWEST_PRIORITY))
    assert helpers[0].call()


def test_works_in_one_other_process(helpers, tmp_path):
    def record() -> bool:
        with (tmp_path / "pids").open("a") as file:
            file.write(f"{os.getpid()}\n")
        return True

    helpers.append(Helper(record))
    assert [helpers[0].call(), helpers[0].call()] == [True, True]
    assert (tmp_path / "pids").read_text().split() == [str(helpers[0].pid)] * 2


def test_raises_what_the_work_raises_and_goes_on(helpers):
    helpers.append(Helper(fail))
    for _ in range(2):
        with pytest.raises(Unlucky):
            helpers[0].call()


def test_tells_that_it_was_killed(helpers):
    helpers.append(Helper(lambda: True))
    kill(helpers[0].pid)
    with pytest.raises(HelperEnded, match=str(-signal.SIGKILL)):
        helpers[0].call()
    assert helpers[0].has_ended


def test_ends_when_nobody_calls(helpers):
    helpers.append(Helper(lambda: True, idle_seconds=0.05))
    wait_until(lambda: helpers[0].has_ended)
    assert helpers[0].exit_status == 0


def test_a_worker_process_starts_another_one_when_its_helper_has_ended(helpers, monkeypatch):
    monkeypatch.setattr(worker, "HELPERS", helpers)
    monkeypatch.setattr(worker, "_detect", lambda: True)
    assert worker.work()
    first = helpers[0]
    kill(first.pid)
    with pytest.raises(HelperEnded):
        worker.work()
    assert worker.work()
    assert helpers[0] is not first


def test_a_call_that_comes_just_as_the_helper_ends_is_not_lost(helpers, monkeypatch):
    monkeypatch.setattr(worker, "HELPERS", helpers)
    monkeypatch.setattr(worker, "_detect", lambda: True)
    helpers.append(Helper(lambda: True, idle_seconds=0))
    os.waitid(os.P_PID, helpers[0].pid, os.WEXITED | os.WNOWAIT)
    monkeypatch.setattr(worker, "_helper_of_this_process", unaware_at_first(worker._helper_of_this_process))
    assert worker.work()


def unaware_at_first(look: Callable[[], Helper]) -> Callable[[], Helper]:
    """Give the helper without looking, as if it had ended a moment later. After that, look."""
    looks = chain([lambda: worker.HELPERS[0]], repeat(look))

    def answer() -> Helper:
        return next(looks)()

    return answer


def detect(installation: Installation, corpus: str) -> None:
    ran = installation.run("run_detection", "--corpus", corpus, "--wait")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def has_loaded_spacy(pid: int) -> bool:
    return "/spacy/" in Path(f"/proc/{pid}/maps").read_text()


@pytest.mark.processes
@pytest.mark.long
def test_real_workers_give_back_what_detection_takes(migrated: Installation):
    assert migrated.run("shell", "-c", MAKE).returncode == 0
    running = migrated.start("up", "--no-demo", "--workers", "1", "--port", str(free_port()))
    for corpus in ("first", "second"):
        detect(migrated, corpus)
        [helper] = migrated.pids_of("telltale-detect")
        assert has_loaded_spacy(helper)
        assert not any(has_loaded_spacy(pid) for pid in migrated.pids_of("telltale-worker"))
        wait_until(lambda: not migrated.pids_of("telltale-detect"))
    running.send_signal(signal.SIGINT)
    output, _ = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0, output
