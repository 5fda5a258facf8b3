"""A worker with the real Presidio: a chunk is written as a whole or not at all, and only once."""

import json
import threading
import time
from dataclasses import replace

import pytest
from django.db import connection
from django.utils import timezone

from profiles.detection import analysis, chunks, leases
from profiles.detection import worker as working
from profiles.detection.leases import take_chunk
from profiles.detection.presidio import default_contents
from profiles.detection.recipes import Model
from profiles.detection.worker import do_chunk, work
from profiles.models import Comment, Detection, DetectionChunk, DetectionRun, Unanalysed
from profiles.spans import EntitySpan
from tests.profiles.detection.runs import NOWHERE, make_run
from tests.profiles.detection.test_leases import fall_silent

HOUSTON, PLAIN = "My brother James moved to Houston last year.", "nothing to see here, move along please"
GERMAN = "Ich wohne seit vielen Jahren mit meiner Frau in einer kleinen Stadt und wir sind sehr zufrieden"
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def contents():
    return default_contents()


@pytest.fixture
def run(contents, monkeypatch):
    monkeypatch.setattr(chunks, "TEXT", 300)
    return make_run(HOUSTON, PLAIN, "Mail me: jane@example.org", "They met in Oslo.", contents=contents)


def found(run):
    spans = run.detections.order_by("comment", "start").values_list("comment__body", "entity_type", "start", "end")
    return [(kind, body[start:end]) for body, kind, start, end in spans]


ALL = [("PERSON", "James"), ("LOCATION", "Houston"), ("EMAIL_ADDRESS", "jane@example.org"), ("LOCATION", "Oslo")]


def test_every_chunk_is_done_and_the_run_with_it(run):
    assert not work("ann", seconds=60)
    assert found(run) == ALL
    assert not run.chunks.open().exists()
    assert sum(run.chunks.values_list("found", flat=True)) == 4
    assert all(seconds > 0 for seconds in run.chunks.values_list("seconds", flat=True))
    assert DetectionRun.objects.get().finished_at


def test_the_same_work_twice_leaves_one_set_of_rows(run):
    work("ann", seconds=60)
    run.chunks.update(done_at=None)
    Detection.objects.all().delete()
    DetectionRun.objects.update(finished_at=None)
    work("ann", seconds=60)
    assert found(run) == ALL


def test_of_two_workers_on_one_chunk_one_writes(run):
    late = take_chunk("ann")
    fall_silent(late)
    work("bob", seconds=60)
    assert do_chunk(late)
    assert found(run) == ALL


def test_it_looks_at_the_clock(run):
    ticks = iter(range(100))
    assert work("ann", seconds=2, clock=lambda: float(next(ticks)))
    assert run.chunks.done().count() == 1


def test_one_that_lost_its_chunk_writes_nothing(run):
    late = take_chunk("ann")
    fall_silent(late)
    take_chunk("bob")
    lease = leases.Renewal(late)
    lease.renew()
    assert lease.is_lost
    assert working._analysed(late, lease, lambda comments: analysis.Outcome()) is None
    assert do_chunk(late)
    assert not Detection.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_renewed_while_one_comment_takes_long(run, monkeypatch):
    """By a timer: the worker itself comes back from the model only after the lease was over."""
    monkeypatch.setattr(leases, "RENEW_EVERY", 0.05)
    chunk = take_chunk("ann")
    fall_silent(chunk)

    def wait_for_renewal(comments):
        for _ in range(200):
            if DetectionChunk.objects.under_way().filter(pk=chunk.pk).exists():
                break
            time.sleep(0.02)
        return analysis.Outcome()

    with leases.keep_leased(chunk) as lease:
        assert working._analysed(chunk, lease, wait_for_renewal) is not None
    assert DetectionChunk.objects.under_way().filter(pk=chunk.pk).exists()
    assert take_chunk("bob").pk != chunk.pk


@pytest.mark.django_db(transaction=True)
def test_the_timer_notices_that_another_worker_took_over(run, monkeypatch):
    monkeypatch.setattr(leases, "RENEW_EVERY", 0.05)
    late = take_chunk("ann")
    fall_silent(late)
    assert take_chunk("bob").pk == late.pk
    with leases.keep_leased(late) as lease:
        for _ in range(200):
            if lease.is_lost:
                break
            time.sleep(0.02)
    assert lease.is_lost


def test_a_paused_run_rests_after_the_chunk(run):
    DetectionRun.objects.update(paused_at=timezone.now())
    assert not work("ann", seconds=60)
    assert not Detection.objects.exists()


# ── What cannot be analysed ─────────────────────────────────────────────────


def test_a_poison_comment_is_isolated_and_the_rest_is_done(run, monkeypatch):
    """The model is the real one; it only refuses this one text."""
    whole = analysis.Analyser.detect

    def refuse(self, screened):
        if PLAIN in [item.text for item in screened]:
            raise ValueError(f"cannot read {PLAIN}")
        return whole(self, screened)

    monkeypatch.setattr(analysis.Analyser, "detect", refuse)
    work("ann", seconds=60)
    assert found(run) == ALL
    alone = Unanalysed.objects.get()
    assert (alone.comment.body, alone.reason, alone.detail) == (PLAIN, "failed", "ValueError")
    assert DetectionRun.objects.get().finished_at


def test_another_language_is_not_analysed_rather_than_wrongly(contents):
    run = make_run(HOUSTON, GERMAN, contents=contents)
    work("ann", seconds=60)
    assert found(run) == ALL[:2]
    assert Unanalysed.objects.values_list("comment__body", "reason", "detail").get() == (GERMAN, "language", "de")


INIT = """
from spacy.util import load_model_from_init_py

def load(**options):
    return load_model_from_init_py(__file__, **options)
"""


@pytest.fixture
def german(tmp_path, monkeypatch, settings):
    """A German model of our own, installed as others are. All it knows is that “Stadt” is a place."""
    import spacy

    nlp = spacy.blank("de", meta={"name": "our_news", "version": "1.0"})
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "LOC", "pattern": "Stadt"}])
    (tmp_path / "de_our_news").mkdir()
    nlp.to_disk(tmp_path / "de_our_news" / "de_our_news-1.0")
    (tmp_path / "de_our_news" / "__init__.py").write_text(INIT)
    (tmp_path / "de_our_news" / "meta.json").write_text(json.dumps(nlp.meta))
    (tmp_path / "de_our_news-1.0.dist-info").mkdir()
    (tmp_path / "de_our_news-1.0.dist-info" / "METADATA").write_text("Name: de_our_news\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    settings.TELLTALE_MODELS = {"de": "de_our_news"}


def test_another_language_is_analysed_where_it_has_a_model(german):
    run = make_run(HOUSTON, GERMAN, contents=default_contents())
    work("ann", seconds=60)
    assert found(run) == [*ALL[:2], ("LOCATION", "Stadt")]
    assert not Unanalysed.objects.exists()


def test_a_worker_without_the_model_leaves_the_run_to_others(contents):
    missing = type(contents)(
        models=(Model("en", "en_core_web_none", "0.0"),), presidio=contents.presidio, spacy=contents.spacy
    )
    run = make_run(HOUSTON, contents=missing)
    assert not work("ann", seconds=60)
    run.refresh_from_db()
    assert "en_core_web_none" in run.problem
    assert run.chunks.free().get().attempts == 0


def test_a_worker_with_other_versions_leaves_the_run_to_others():
    run = make_run(HOUSTON, contents=NOWHERE)
    assert not work("ann", seconds=60)
    run.refresh_from_db()
    assert "The recipe needs presidio-analyzer 0, but this worker has" in run.problem


def test_a_library_that_findings_depend_on_counts_too(contents):
    run = make_run(HOUSTON, contents=replace(contents, libraries=(("phonenumbers", "1.0"),)))
    assert not work("ann", seconds=60)
    run.refresh_from_db()
    assert "The recipe needs phonenumbers 1.0" in run.problem


def test_the_problem_is_gone_when_a_worker_can_do_it(run):
    DetectionRun.objects.update(problem="no model")
    work("ann", seconds=60)
    assert DetectionRun.objects.get().problem == ""


# ── At the same moment ──────────────────────────────────────────────────────


def test_comments_removed_meanwhile_are_left_out(run, monkeypatch):
    """Between reading and writing: the account was forgotten."""
    chunk = take_chunk("ann")
    way = lambda texts: analysis.Outcome([(texts[0][0], EntitySpan(0, 1, "NRP", 0.5))])  # noqa: E731
    outcome = working._analysed(chunk, leases.Renewal(chunk), way)
    Comment.objects.filter(pk=outcome.detections[0][0]).delete()
    assert working._keep(chunk, outcome, 1.0)
    assert not Detection.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_share_the_chunks(contents, monkeypatch):
    monkeypatch.setattr(chunks, "TEXT", 300)
    run = make_run(*[HOUSTON] * 40, contents=contents)

    def worker(name):
        try:
            work(name, seconds=60)
        finally:
            connection.close()

    both = [threading.Thread(target=worker, args=[name]) for name in ("ann", "bob")]
    for side in both:
        side.start()
    for side in both:
        side.join(timeout=60)
    assert run.detections.count() == 80
    assert set(run.chunks.values_list("attempts", flat=True)) == {1}
    assert leases.take_chunk("cem") is None
