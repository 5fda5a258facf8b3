"""The life of a job in a real database: who gets it, how a worker notices that it lost it, and how it ends."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotator.models import LabelImport
from profiles.jobs import claims
from profiles.jobs.claims import Cancelled, NotFree, Paused, TakenOver, beat, claim, fail, finish
from profiles.jobs.heartbeat import Heartbeat, work_on
from profiles.jobs.progress import Progress
from profiles.jobs.states import State, state_of
from profiles.models import DetectionRun
from profiles.models.jobs import SILENCE, is_alive
from tests.profiles.detection.runs import make_run

pytestmark = pytest.mark.django_db
LONG_AGO = SILENCE + timedelta(seconds=1)


def make_job(**fields) -> LabelImport:
    """A label import stands for all jobs here: it adds nothing of its own."""
    return LabelImport.objects.create(format="native", name="labels.jsonl", **fields)


def claimed(**fields) -> LabelImport:
    job = make_job(**fields)
    claim(job)
    return job


def fall_silent(job: LabelImport) -> None:
    LabelImport.objects.filter(pk=job.pk).update(beat_at=timezone.now() - LONG_AGO)


def row_of(job: LabelImport) -> LabelImport:
    return LabelImport.objects.get(pk=job.pk)


# ── Who has it ──────────────────────────────────────────────────────────────


@pytest.mark.django_db(transaction=True)
def test_of_two_who_claim_at_once_one_gets_it(monkeypatch):
    job, barrier, results = make_job(), threading.Barrier(2, timeout=10), []
    look = claims.is_silent
    monkeypatch.setattr(claims, "is_silent", lambda at: (barrier.wait(), look(at))[1])

    def worker():
        try:
            claim(row_of(job))
            results.append("mine")
        except NotFree:
            results.append("not free")
        finally:
            connection.close()

    threads = [threading.Thread(target=worker) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(results) == ["mine", "not free"]


def test_a_job_that_somebody_works_on_is_not_free():
    job = claimed()
    with pytest.raises(NotFree):
        claim(row_of(job))


def test_a_silent_job_is_taken_over_and_the_old_holder_notices():
    old = claimed()
    fall_silent(old)
    new = row_of(old)
    claim(new)
    with pytest.raises(TakenOver):
        beat(old, done=5)
    with pytest.raises(TakenOver):
        finish(old)
    assert not fail(old, "It broke.")
    beat(new, done=7)
    assert (row_of(old).done, row_of(old).finished_at, row_of(old).problem) == (7, None, "")


@pytest.mark.parametrize("end", [finish, lambda job: fail(job, "It broke."), claims.cancel, claims.pause])
def test_what_has_ended_or_rests_is_not_free(end):
    job = claimed()
    end(job)
    fall_silent(job)
    with pytest.raises(NotFree):
        claim(row_of(job))


def test_a_job_that_is_repeated_may_be_claimed_again_once_it_has_ended():
    job = claimed()
    with pytest.raises(NotFree):
        claim(row_of(job), again=True)
    fail(job, "It broke.")
    again = row_of(job)
    claim(again, again=True)
    assert (row_of(job).problem, row_of(job).finished_at, state_of(row_of(job))) == ("", None, State.RUNNING)


# ── Pausing and cancelling ──────────────────────────────────────────────────


@pytest.mark.parametrize(("change", "error", "state"), [
    (claims.pause, Paused, State.PAUSED), (claims.cancel, Cancelled, State.CANCELLED),
])  # fmt: skip
def test_the_holder_notices_that_it_was_stopped(change, error, state):
    job = claimed()
    assert change(job)
    assert not change(job)
    with pytest.raises(error):
        beat(job, done=1)
    assert (state_of(row_of(job)), row_of(job).done) == (state, 0)


def test_a_resumed_job_waits_for_a_worker_again():
    job = claimed()
    claims.pause(job)
    assert claims.resume(job)
    assert state_of(row_of(job)) == State.WAITING
    claim(row_of(job))


def test_a_run_of_many_workers_can_be_paused_too():
    run = make_run("some text")
    assert claims.pause(run)
    assert not DetectionRun.objects.active().exists()
    assert claims.resume(run)
    assert DetectionRun.objects.active().get() == run


# ── States ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("ago", "state"), [
    (timedelta(), State.WAITING), (LONG_AGO, State.OVERDUE),
])  # fmt: skip
def test_waits_until_it_is_overdue(ago, state):
    job = make_job(requested_at=timezone.now() - ago)
    assert state_of(job) == state
    assert LabelImport.objects.filter(is_alive()).exists() is (state == State.WAITING)


def test_runs_until_it_falls_silent():
    job = claimed(requested_at=timezone.now() - LONG_AGO)
    assert state_of(row_of(job)) == State.RUNNING
    assert LabelImport.objects.filter(is_alive()).exists()
    fall_silent(job)
    assert state_of(row_of(job)) == State.SILENT
    assert not LabelImport.objects.filter(is_alive()).exists()


def test_ends_finished_or_failed_with_a_sentence():
    job = claimed()
    finish(job, done=10)
    assert (state_of(row_of(job)), row_of(job).done) == (State.FINISHED, 10)
    job = claimed()
    assert fail(job, "The disk is full.", counts={"lines": 3})
    assert (state_of(row_of(job)), row_of(job).problem) == (State.FAILED, "The disk is full.")
    assert row_of(job).counts == {"lines": 3}


# ── Heartbeat ───────────────────────────────────────────────────────────────


def wait_for(condition) -> None:
    for _ in range(200):
        if condition():
            return
        time.sleep(0.02)
    pytest.fail("it never came")


@pytest.mark.django_db(transaction=True)
def test_beats_while_the_worker_is_busy_and_its_transaction_sees_nothing_new():
    job = claimed()
    began_at = row_of(job).beat_at
    with Heartbeat(job, every=0.02) as heartbeat, transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        heartbeat.tell(3, 9)
        wait_for(lambda: row_of(job).done == 3)
    assert (row_of(job).total, row_of(job).beat_at > began_at) == (9, True)


@pytest.mark.django_db(transaction=True)
def test_the_worker_learns_from_its_heartbeat_that_it_lost_the_job():
    job = claimed()
    with Heartbeat(job, every=0.02) as heartbeat:
        claims.cancel(job)
        wait_for(lambda: heartbeat._lost)
        with pytest.raises(Cancelled):
            heartbeat.tell(1, 2)


@pytest.mark.django_db(transaction=True)
def test_never_waits_for_a_row_that_its_own_worker_has_locked():
    job = claimed()
    with transaction.atomic(), Heartbeat(job, every=0.02):
        list(LabelImport.objects.select_for_update().filter(pk=job.pk))
        time.sleep(0.1)
    assert state_of(row_of(job)) == State.RUNNING


@pytest.mark.django_db(transaction=True)
def test_work_ends_finished_or_with_the_sentence():
    job = make_job()
    with work_on(job, broke="It broke. Try again.") as heartbeat:
        heartbeat.tell(1, 1)
    assert state_of(row_of(job)) == State.FINISHED
    job = make_job()
    with pytest.raises(ZeroDivisionError), work_on(job, broke="It broke. Try again."):
        raise ZeroDivisionError
    assert (row_of(job).problem, bool(row_of(job).finished_at)) == ("It broke. Try again.", True)


# ── Progress ────────────────────────────────────────────────────────────────


def test_tells_rate_and_time_left():
    began_at = timezone.now()
    progress = Progress.between(30, 90, began_at, began_at + timedelta(seconds=10))
    assert (progress.share, progress.rate, progress.left) == (1 / 3, 3.0, timedelta(seconds=20))


@pytest.mark.parametrize("progress", [Progress(0, 0), Progress(5, 0, 1.0), Progress(0, 10)])
def test_time_left_is_not_known_at_first(progress):
    assert progress.left is None


def test_more_than_all_leaves_nothing():
    assert Progress(12, 10, 1.0).left == timedelta()
    job = LabelImport(done=12, total=10, began_at=timezone.now(), beat_at=timezone.now())
    assert Progress.of(job).done == 10
