"""Cutting a run into chunks: every comment in exactly one, with about the same amount of text in each."""

import threading
from itertools import chain

import pytest
from django.db import connection

from profiles.detection import chunks as planning
from profiles.detection.chunks import has_more, plan
from profiles.models import Comment, DetectionRun
from tests.factories import make_profile
from tests.profiles.detection.runs import add_comments, comment_ids, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(planning, "TEXT", 1000)
    monkeypatch.setattr(planning, "AT_ONCE", 7)


def covered(run):
    """The comments of each chunk."""
    chunks = run.chunks.order_by("first_comment").values_list("first_comment", "last_comment")
    return [[comment for comment in comment_ids(run.corpus) if first <= comment <= last] for first, last in chunks]


def all_covered(run):
    return list(chain.from_iterable(covered(run)))


def test_every_comment_is_in_exactly_one_chunk(small):
    run = make_run(*("x" * (37 * n % 400 + 1) for n in range(60)))
    assert all_covered(run) == comment_ids(run.corpus)
    assert [chunk.comment_count for chunk in run.chunks.order_by("first_comment")] == [len(c) for c in covered(run)]
    assert run.planned_at
    assert run.planned_to == comment_ids(run.corpus)[-1]


def test_chunks_hold_about_as_much_text(small):
    run = make_run(*["x" * 100] * 40)  # 200 with what a comment costs beside its text
    assert {len(chunk) for chunk in covered(run)} <= {2, 5}  # 2: the rest of the seven cut at once


def test_a_giant_comment_stands_alone(small):
    run = make_run("x", "x" * 100_000, "x", "x")
    assert [len(chunk) for chunk in covered(run)] == [2, 2]


def test_comments_of_other_corpora_are_not_in_it(small):
    make_profile("somebody else's")
    run = make_run("mine", "mine too")
    make_profile("nor this")
    plan(run.pk)
    assert sum(chunk.comment_count for chunk in run.chunks.all()) == 2


def test_planning_twice_changes_nothing(small):
    run = make_run(*["some text"] * 20)
    before = list(run.chunks.order_by("pk").values_list("pk", "first_comment"))
    plan(run.pk)
    assert list(run.chunks.order_by("pk").values_list("pk", "first_comment")) == before


def test_what_a_corpus_gains_is_added(small):
    run = make_run("some text")
    assert not has_more(run)
    added = add_comments(run.corpus.profiles.get(), "more", "and more")
    assert has_more(run)
    plan(run.pk)
    assert covered(run)[-1] == [comment.pk for comment in added]
    assert not has_more(DetectionRun.objects.get(pk=run.pk))


def test_one_that_was_broken_off_goes_on(small, monkeypatch):
    run = make_run(*["some text"] * 20, planned=False)
    planning._cut_some(run.pk)
    assert run.chunks.exists()
    assert DetectionRun.objects.get(pk=run.pk).planned_at is None
    plan(run.pk)
    assert all_covered(run) == comment_ids(run.corpus)


@pytest.mark.django_db(transaction=True)
def test_two_who_plan_at_once_cut_each_comment_once(small):
    run = make_run(*["some text"] * 200, planned=False)

    def planner():
        try:
            plan(run.pk)
        finally:
            connection.close()

    both = [threading.Thread(target=planner) for _ in range(2)]
    for side in both:
        side.start()
    for side in both:
        side.join(timeout=30)
    assert all_covered(run) == comment_ids(run.corpus)
    assert Comment.objects.count() == 200
