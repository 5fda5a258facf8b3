"""A run in a worker: it ends with a report, or with a sentence, and never with half of either."""

import os
from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.models import EvaluationInput, EvaluationRun
from evaluation.reports.html import render_report_html
from evaluation.runs import job, services, tasks
from evaluation.runs.results import CannotMeasure, Measurement
from evaluation.runs.storage import InputFile, path_of, store_files, sweep_folders
from evaluation.spans import measurement
from evaluation.spans.measurement import FILE_GONE
from evaluation.spans.records import ONLY_LAYER, Document, LabelledSpan, SpanFile
from evaluation.spans.systems import presidio
from evaluation.spans.systems.cache import CacheUnusable
from profiles.jobs.claims import Cancelled, cancel
from profiles.jobs.states import State, state_of
from tests.evaluation.runs.records import make_run
from tests.evaluation.spans.measured import SETTINGS, gold_file, make_measured_run, prediction_file

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


def test_a_run_ends_with_report_documents_and_errors(tmp_path):
    run = make_measured_run(tmp_path)
    assert state_of(run) == State.FINISHED
    assert run.report["format"] == "telltale.spans/1"
    assert run.signature == run.report["signature"]
    assert [headline["label"] for headline in run.headline][:2] == ["Macro F1, sound matching", "Micro F1"]
    assert run.inputs["gold"]["sha256"] == run.files.get(role="gold").sha256
    assert [document.name for document in run.documents.order_by("number")] == ["d/1", "<b>2"]
    kinds = set(run.errors.values_list("kind", flat=True))
    assert {"missed", "spurious"} <= kinds <= {"missed", "spurious", "wrong_type", "boundary", "suspect"}
    assert all(item.document for item in run.errors.all())
    assert {item.contents["times"] for item in run.errors.filter(kind="missed")} == {2}  # once for each annotator


def test_several_systems_are_compared_even_if_their_files_have_one_name(tmp_path):
    run, output = make_run(settings=SETTINGS), prediction_file(tmp_path)
    files = [InputFile(EvaluationInput.Role.GOLD, gold_file(tmp_path), "gold.json")]
    services.store_files(run, files + [InputFile(EvaluationInput.Role.PREDICTIONS, output, "output.jsonl")] * 2)
    job.run(run.pk)
    run.refresh_from_db()
    names = [system["name"] for system in run.report["systems"]]
    assert len(set(names)) == 2
    assert run.report["comparisons"]
    assert list(run.documents.first().contents["predicted"]) == sorted(names)
    assert "Systems compared" in render_report_html(run.report)


@pytest.mark.parametrize("in_use", [False, True])
def test_presidio_runs_in_the_worker_itself_and_without_the_cache_if_another_run_has_it(tmp_path, monkeypatch, in_use):
    calls = []

    def detect(texts, recipe, *, workers, show, cache=None):
        calls.append((workers, bool(cache)))
        if in_use and cache:
            raise CacheUnusable("in use")
        show(1, 2)
        return SpanFile({"d/1": Document("d/1", {ONLY_LAYER: (LabelledSpan(20, 26, "LOCATION"),)})}, "presidio", "")

    monkeypatch.setattr(presidio, "detect_spans", detect)
    system = {"kind": "presidio", "model": "", "entities": "mapped", "threshold": 0.0}
    run = make_run(settings=SETTINGS | {"system": system})
    services.store_files(run, [InputFile(EvaluationInput.Role.GOLD, gold_file(tmp_path), "gold.json")])
    job.run(run.pk)
    run.refresh_from_db()
    assert (run.problem, run.report["results"][0]["system"]) == ("", "presidio")
    assert calls == [(0, True), (0, False)][: 1 + in_use]


def test_a_second_call_changes_nothing(tmp_path):
    run = make_measured_run(tmp_path)
    job.run(run.pk)
    assert EvaluationRun.objects.get().finished_at == run.finished_at


def test_a_missing_file_is_a_sentence(tmp_path):
    run = make_measured_run(tmp_path, cancelled_at=None)
    again = services.repeat_run(run, by=None)
    path_of(again.files.get(role="gold")).unlink()
    job.run(again.pk)
    again.refresh_from_db()
    assert (state_of(again), again.problem) == (State.FAILED, FILE_GONE)


def test_an_unreadable_file_is_a_sentence(tmp_path):
    run, file = make_run(settings=SETTINGS), tmp_path / "x"
    file.write_text("nothing")
    services.store_files(run, [InputFile(EvaluationInput.Role.GOLD, file, "x.json")])
    job.run(run.pk)
    run.refresh_from_db()
    assert state_of(run) == State.FAILED
    assert "x.json" in run.problem


@pytest.mark.parametrize("error", [CannotMeasure("Say why."), RuntimeError("what?")])
def test_a_failed_run_stores_nothing(monkeypatch, error):
    def measure(run, tell):
        raise error

    monkeypatch.setattr(measurement, "measure_spans", measure)
    run = make_run()
    if isinstance(error, RuntimeError):
        with pytest.raises(RuntimeError):
            job.run(run.pk)
    else:
        job.run(run.pk)
    run.refresh_from_db()
    assert state_of(run) == State.FAILED
    assert run.problem == ("Say why." if isinstance(error, CannotMeasure) else job.BROKE)


def test_a_run_that_is_cancelled_meanwhile_stores_nothing(monkeypatch):
    def measure(run, tell):
        cancel(run)
        return Measurement({"format": "x"}, [], [{"kind": "missed", "document": "a"}])

    monkeypatch.setattr(measurement, "measure_spans", measure)
    run = make_run()
    job.run(run.pk)
    run.refresh_from_db()
    assert state_of(run) == State.CANCELLED
    assert not run.report
    assert not run.errors.exists()


def test_cancelling_reaches_the_measurement(monkeypatch):
    def measure(run, tell):
        raise Cancelled("Somebody cancelled it.")

    monkeypatch.setattr(measurement, "measure_spans", measure)
    run = make_run()
    job.run(run.pk)
    run.refresh_from_db()
    assert not run.finished_at


def test_characters_that_postgres_refuses_are_replaced(monkeypatch):
    def measure(run, tell):
        item = {"kind": "missed", "document": "a\x00", "text": "\ud800"}
        return Measurement({"format": "x", "\x00": ["\x00b"]}, [], [item])

    monkeypatch.setattr(measurement, "measure_spans", measure)
    run = make_run()
    job.run(run.pk)
    run.refresh_from_db()
    assert run.report["\ufffd"] == ["\ufffdb"]
    assert run.errors.get().contents["text"] == "\ufffd"


def test_the_sweep_calls_what_waits_too_long(monkeypatch):
    called = []
    monkeypatch.setattr(tasks.evaluate, "delay", called.append)
    waiting = make_run(requested_at=timezone.now() - timedelta(minutes=2))
    make_run()
    tasks.sweep_evaluations()
    assert called == [waiting.pk]


def test_folders_without_a_run_are_removed_after_a_day(settings):
    run = make_run()
    for name in (str(run.pk), "999999999", "new"):
        (settings.EVALUATIONS / name).mkdir(parents=True)
    for name in (str(run.pk), "999999999"):
        os.utime(settings.EVALUATIONS / name, (0, 0))
    assert sweep_folders() == 1
    assert {path.name for path in settings.EVALUATIONS.iterdir()} == {str(run.pk), "new"}


def test_what_an_earlier_run_of_the_same_number_left_is_gone(settings):
    run = make_run()
    folder = settings.EVALUATIONS / str(run.pk)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gold-0.json").write_text("{}")
    store_files(run, [])
    assert list(folder.iterdir()) == []
