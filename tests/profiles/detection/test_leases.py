"""Leases on chunks: one worker at a time, taken over when it goes silent, halved when the chunk kills its workers."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from profiles.detection import chunks, leases
from profiles.detection.leases import comments_of, finish, give_back, renew, take_chunk
from profiles.models import DetectionChunk, DetectionRun, Unanalysed
from tests.profiles.detection.runs import comment_ids, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(monkeypatch):
    """Six comments in three chunks."""
    monkeypatch.setattr(chunks, "TEXT", 400)
    run = make_run(*["x" * 100] * 6)
    assert [chunk.comment_count for chunk in run.chunks.order_by("pk")] == [2, 2, 2]
    return run


def fall_silent(chunk):
    DetectionChunk.objects.filter(pk=chunk.pk).update(leased_until=Now() - timedelta(seconds=1))


def test_each_worker_gets_another_chunk(run):
    taken = [take_chunk("ann"), take_chunk("bob"), take_chunk("cem")]
    assert [chunk.pk for chunk in taken] == list(run.chunks.order_by("pk").values_list("pk", flat=True))
    assert take_chunk("dee") is None


def test_a_lease_ends_within_a_minute(run):
    take_chunk("ann")
    left = DetectionChunk.objects.under_way().get().leased_until - timezone.now()
    assert timedelta(seconds=20) < left < timedelta(seconds=45)


def test_who_falls_silent_loses_the_chunk_and_may_not_write(run):
    old = take_chunk("ann")
    fall_silent(old)
    new = take_chunk("bob")
    assert (new.pk, new.attempts) == (old.pk, 2)
    assert not finish(old, seconds=1, detections=1)
    assert not renew(old)
    assert finish(new, seconds=1, detections=1)
    assert not finish(new, seconds=1, detections=1)


def test_a_lease_can_be_renewed_while_it_is_held(run):
    chunk = take_chunk("ann")
    fall_silent(chunk)
    assert renew(chunk)
    assert take_chunk("bob").pk != chunk.pk


def test_what_was_given_back_was_never_tried(run):
    chunk = take_chunk("ann")
    give_back(chunk)
    again = take_chunk("bob")
    assert (again.pk, again.attempts) == (chunk.pk, 1)


def test_what_people_open_next_comes_first(run):
    run.chunks.filter(pk=run.chunks.order_by("pk").last().pk).update(priority=1)
    assert take_chunk("ann").pk == run.chunks.order_by("pk").last().pk


def test_a_run_with_something_to_open_next_comes_first(run):
    other = make_run("of another corpus")
    other.chunks.update(priority=1)
    assert take_chunk("ann").run_id == other.pk
    assert take_chunk("ann").run_id == run.pk


@pytest.mark.parametrize("field", ["paused_at", "cancelled_at", "finished_at"])
def test_nothing_is_taken_of_a_run_that_rests(run, field):
    DetectionRun.objects.update(**{field: timezone.now()})
    assert take_chunk("ann") is None


def test_runs_that_a_worker_cannot_do_are_left_to_others(run):
    assert take_chunk("ann", without={run.pk}) is None


def test_a_chunk_that_ends_its_workers_is_halved_until_one_comment_stands_alone(run):
    """Its fourth comment is poison: whoever takes the chunk with it dies. Everything else is done."""
    poison = comment_ids(run.corpus)[3]
    done = set()
    for _ in range(30):
        chunk = take_chunk("ann")
        if chunk is None:
            break
        ids = {comment for comment, _ in comments_of(chunk)}
        if poison in ids:
            fall_silent(chunk)
        else:
            done |= ids
            assert finish(chunk, seconds=1, detections=0)
    assert done == set(comment_ids(run.corpus)) - {poison}
    alone = Unanalysed.objects.get()
    assert (alone.comment_id, alone.reason, alone.detail) == (poison, "ended", leases.ENDED)
    assert not run.chunks.open().exists()
    assert sum(run.chunks.values_list("comment_count", flat=True)) == 6


def test_of_a_chunk_with_all_comments_gone_nothing_is_left_to_do(run):
    chunk = take_chunk("ann")
    assert len(comments_of(chunk)) == 2
    run.corpus.profiles.get().comments.all().delete()
    assert comments_of(chunk) == []
    for _ in range(2):
        fall_silent(chunk)
        chunk = take_chunk("ann") or chunk
    assert not Unanalysed.objects.exists()
