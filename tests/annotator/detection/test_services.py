"""Start, pause, resume, cancel and prioritise detection runs."""

import pytest
from django.utils import timezone

from annotator.batches.lifecycle import draw_batch
from annotator.detection import services, tasks, worker
from annotator.detection.priorities import prefer
from annotator.detection.services import DetectionRefused, cancel, pause, resume, retry_failures, start_run
from annotator.models import AuditEntry
from profiles.detection import chunks
from profiles.detection.recipes import get_or_create_recipe
from profiles.models import Detection, DetectionRun, Recipe, Unanalysed
from tests.factories import make_assignment, make_batch, make_corpus, make_profile
from tests.profiles.detection.runs import NOWHERE, add_comments, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def calls(monkeypatch):
    """Task calls in order; none reaches a worker."""
    recorded = []
    for name in ("plan_detection", "detect", "sweep_detection"):
        task = getattr(tasks, name)
        monkeypatch.setattr(task, "delay", lambda *args, name=name: recorded.append((name, *args)))
    return recorded


def audited_changes():
    return list(AuditEntry.objects.order_by("pk").values_list("action", "details__change"))


def test_starting_makes_a_run_and_asks_for_its_plan(calls, grace, django_capture_on_commit_callbacks):
    corpus = make_profile().corpus
    with django_capture_on_commit_callbacks(execute=True):
        run = start_run(corpus, NOWHERE, name="for the pilot", by=grace)
    assert calls == [("plan_detection", run.pk)]
    assert (run.corpus, run.recipe.name) == (corpus, "for the pilot")
    assert AuditEntry.objects.get().actor == grace


def test_starting_twice_changes_nothing_more(calls, django_capture_on_commit_callbacks):
    run = make_run()
    DetectionRun.objects.update(finished_at=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        assert start_run(run.corpus, NOWHERE) == run
    assert (calls, audited_changes()) == ([], [])
    assert DetectionRun.objects.get().finished_at


def test_starting_again_takes_up_what_the_corpus_has_gained(calls, django_capture_on_commit_callbacks):
    run = make_run()
    DetectionRun.objects.update(finished_at=timezone.now())
    add_comments(run.corpus.profiles.get(), "news from Oslo")
    with django_capture_on_commit_callbacks(execute=True):
        start_run(run.corpus, NOWHERE)
    assert calls == [("plan_detection", run.pk)]
    assert DetectionRun.objects.active().get() == run


def test_a_corpus_that_is_not_complete_is_refused():
    with pytest.raises(DetectionRefused, match="not complete"):
        start_run(make_corpus(ready=False), NOWHERE)


def test_without_a_model_it_is_refused_with_what_to_do(monkeypatch):
    def missing():
        raise services.ModelMissing("There is no model. Install it with pip install …")

    monkeypatch.setattr(services, "default_contents", missing)
    with pytest.raises(DetectionRefused, match="Install it"):
        start_run(make_corpus())


def test_in_the_background_a_refusal_stands_in_nobodys_way(calls):
    services.detect_in_background(make_corpus(ready=False))
    assert not DetectionRun.objects.exists()
    assert not calls


def test_in_the_background_the_newest_recipe_of_the_corpus_is_taken(calls, django_capture_on_commit_callbacks):
    run = make_run()
    add_comments(run.corpus.profiles.get(), "news from Oslo")
    services.detect_in_background(run.corpus)
    assert DetectionRun.objects.get() == run


def test_pause_resume_cancel_and_again(calls, grace, django_capture_on_commit_callbacks):
    run = make_run()
    for change in (pause, pause, resume, resume, cancel, cancel):
        change(run, by=grace)
    assert [change for _, change in audited_changes()] == ["paused", "resumed", "cancelled"]
    assert not DetectionRun.objects.active().exists()
    with django_capture_on_commit_callbacks(execute=True):
        start_run(run.corpus, NOWHERE)
    assert DetectionRun.objects.active().get() == run


def test_what_has_ended_cannot_be_paused():
    run = make_run()
    DetectionRun.objects.update(finished_at=timezone.now())
    pause(run)
    assert DetectionRun.objects.get().paused_at is None


def test_failures_are_tried_once_more_each_for_itself(calls, django_capture_on_commit_callbacks):
    run = make_run("one", "two", "три")
    comments = list(run.corpus.profiles.get().comments.order_by("pk"))
    for comment, reason in zip(comments, ["failed", "ended", "language"], strict=True):
        Unanalysed.objects.create(run=run, comment=comment, reason=reason)
    run.chunks.update(done_at=timezone.now())
    DetectionRun.objects.update(finished_at=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        assert retry_failures(run) == 2
    again = run.chunks.open().order_by("pk").values_list("first_comment", "last_comment", "comment_count")
    assert list(again) == [(comment.pk, comment.pk, 0) for comment in comments[:2]]
    assert Unanalysed.objects.get().reason == "language"
    assert calls == [("plan_detection", run.pk)]
    assert retry_failures(run) == 0


# ── Batches ─────────────────────────────────────────────────────────────────


def test_a_new_batch_comes_first(monkeypatch):
    monkeypatch.setattr(chunks, "TEXT", 200)
    run = make_run("x" * 200, "x" * 200)
    later = make_profile("y" * 200, "y" * 200, corpus=run.corpus)
    chunks.plan(run.pk)
    batch = make_batch(corpus=run.corpus, recipe=run.recipe)
    make_assignment(profile=later, batch=batch)
    assert prefer(batch) == 2
    assert prefer(batch) == 0
    preferred = run.chunks.filter(priority=1).values_list("first_comment", flat=True)
    assert set(preferred) == set(later.comments.values_list("pk", flat=True))


def test_a_drawn_batch_takes_the_newest_recipe_and_is_preferred():
    run = make_run("some text")
    batch = draw_batch(name="drawn", corpus=run.corpus, guideline=make_batch().guideline, size=1, seed=1)
    assert batch.recipe == run.recipe
    assert run.chunks.get().priority == 1


def test_a_batch_without_a_run_prefers_nothing():
    assert prefer(make_batch()) == 0
    assert prefer(make_batch(recipe=get_or_create_recipe(NOWHERE))) == 0


# ── Planning and sweeping ───────────────────────────────────────────────────


def test_a_plan_prefers_open_batches_and_calls_workers(calls):
    run = make_run("some text", planned=False)
    make_assignment(profile=run.corpus.profiles.get(), batch=make_batch(corpus=run.corpus, recipe=run.recipe))
    tasks.plan_detection(run.pk)
    assert run.chunks.get().priority == 1
    assert calls == [("detect",)] * worker.MIN_CALLS


def test_an_empty_corpus_is_done_at_once(calls):
    run = DetectionRun.objects.create(corpus=make_corpus(), recipe=get_or_create_recipe(NOWHERE))
    tasks.plan_detection(run.pk)
    assert DetectionRun.objects.get().finished_at
    assert not calls


@pytest.mark.parametrize("field", ["paused_at", "cancelled_at", "finished_at"])
def test_a_run_that_rests_is_not_planned(calls, field):
    run = make_run("some text", planned=False)
    DetectionRun.objects.update(**{field: timezone.now()})
    tasks.plan_detection(run.pk)
    assert (run.chunks.count(), calls) == (0, [])


def test_a_sweep_plans_what_was_broken_off_and_calls_for_what_is_free(calls):
    run, other = make_run("some text"), make_run("other text", planned=False)
    tasks.sweep_detection()
    assert calls == [("plan_detection", other.pk), *[("detect",)] * worker.MIN_CALLS]
    assert run.chunks.free().exists()


def test_a_sweep_does_nothing_when_there_is_nothing_to_do(calls):
    run = make_run("some text")
    run.chunks.update(done_at=timezone.now())
    tasks.sweep_detection()
    assert not calls


def test_while_calls_wait_in_the_queue_no_more_are_made(calls, monkeypatch):
    make_run("some text")
    monkeypatch.undo()  # the real call, into the real queue
    tasks.sweep_detection()
    assert worker.calls_waiting() == worker.MIN_CALLS
    tasks.sweep_detection()
    assert worker.calls_waiting() == worker.MIN_CALLS


def test_recipes_with_the_same_contents_are_one():
    assert get_or_create_recipe(NOWHERE, "one name") == get_or_create_recipe(NOWHERE, "another name")
    assert Recipe.objects.count() == 1
    assert not Detection.objects.exists()


def test_recipes_with_the_same_name_are_told_apart():
    recipe = get_or_create_recipe(NOWHERE)
    other = get_or_create_recipe(NOWHERE.with_custom())
    assert recipe == other
    stricter = get_or_create_recipe(type(NOWHERE)(**{**_fields(NOWHERE), "threshold": 0.5}))
    assert stricter != recipe
    assert stricter.name.startswith(recipe.name)


def _fields(contents):
    return {name: getattr(contents, name) for name in contents.__dataclass_fields__}
