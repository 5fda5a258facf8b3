"""Presidio over documents: stock results, whatever the number of processes, and nothing done twice."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest

from evaluation.spans.labels import LabelScheme
from evaluation.spans.records import ONLY_LAYER, ProblemKind
from evaluation.spans.systems import parts, pool, presidio
from evaluation.spans.systems.cache import text_hash
from evaluation.spans.systems.pool import WorkersDied, detect_texts, plan_tasks
from evaluation.spans.systems.presidio import RecipeUnusable, build_recipe, detect_spans, keep_mapped
from profiles.detection.presidio import Analyser, ModelMissing, model_for
from tests.profiles.detection.awkward_comments import comments

PROSE = (
    "Barack Obama met Angela Merkel in Berlin on 3 May 2015.\n\nWrite to ada@example.org or call +1 212 555 0187. "
    "See https://example.org, card 4111 1111 1111 1111, IP 192.168.1.1, SSN 078-05-1120. He is a German Catholic."
)
TEXTS = {"a": PROSE, "b": "Nothing to see here.", "c": "Mr Smith lives in Paris.", "d": ""}


@pytest.fixture(scope="module")
def recipe():
    return build_recipe()


@pytest.fixture(scope="module")
def analyser(recipe):
    return Analyser(recipe.contents)


@pytest.fixture(autouse=True)
def _load_once(monkeypatch, recipe, analyser):
    """Load the model once for all tests of the same recipe."""
    load = lambda contents: analyser if contents == recipe.contents else Analyser(contents)  # noqa: E731
    monkeypatch.setattr(presidio, "Analyser", load)


@pytest.fixture(scope="module")
def stock():
    """A stock AnalyzerEngine: nothing of ours but the name of the model."""
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    models = [{"lang_code": "en", "model_name": model_for("en").name}]
    configuration = NlpEngineProvider().nlp_configuration | {"models": models}
    return AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine())


def rows(predictions):
    return {
        document.id: [(span.start, span.end, span.label, span.score) for span in document.layers[ONLY_LAYER]]
        for document in predictions.documents.values()
    }


def stock_rows(stock, text, **options):
    results = stock.analyze(text, language="en", **options)
    return sorted((result.start, result.end, result.entity_type, result.score) for result in results)


# ── Results ─────────────────────────────────────────────────────────────────


def test_a_process_that_may_have_no_processes_finds_the_same(recipe, monkeypatch):
    """Celery's workers are such processes."""
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    with pytest.raises(AssertionError, match="daemonic"):
        detect_spans(TEXTS, recipe, workers=1)
    here = detect_spans(TEXTS, recipe, workers=0)
    monkeypatch.undo()
    assert rows(here) == rows(detect_spans(TEXTS, recipe, workers=1))


def test_finds_what_a_stock_engine_finds(recipe, stock):
    texts = TEXTS | {str(number): text for number, text in enumerate(comments()[::40])}
    predictions = detect_spans(texts, recipe, workers=2)
    expected = {document: stock_rows(stock, text) for document, text in texts.items()}
    assert {document: sorted(spans) for document, spans in rows(predictions).items()} == expected
    assert {"PERSON", "LOCATION", "DATE_TIME", "NRP", "URL", "CREDIT_CARD", "IP_ADDRESS"} <= {
        label for spans in expected.values() for _, _, label, _ in spans
    }
    assert predictions.problems == ()


def test_names_everything_that_a_stock_engine_has(recipe, stock):
    assert set(recipe.contents.entities) == set(stock.get_supported_entities("en"))
    assert set(recipe.contents.recognisers) == {item.name for item in stock.get_recognizers("en")}


def test_a_threshold_leaves_out_lower_scores(stock):
    predictions = detect_spans(TEXTS, build_recipe(threshold=0.6))
    assert sorted(rows(predictions)["a"]) == stock_rows(stock, PROSE, score_threshold=0.6)
    assert rows(predictions)["a"] != stock_rows(stock, PROSE)


def test_fewer_entities_and_recognisers(stock):
    some = detect_spans(TEXTS, build_recipe(entities=["PERSON", "URL"]))
    assert sorted(rows(some)["a"]) == stock_rows(stock, PROSE, entities=["PERSON", "URL"])
    patterns = detect_spans(TEXTS, build_recipe(recognisers=["UrlRecognizer"]))
    assert {label for _, _, label, _ in rows(patterns)["a"]} == {"URL"}


def test_long_documents_are_read_in_parts(recipe, monkeypatch):
    long = "\n\n".join([PROSE] * 8)
    monkeypatch.setattr(parts.split_document, "__defaults__", (len(PROSE) + 2,))
    predictions = detect_spans({"long": long, "a": PROSE}, recipe)
    separate = rows(predictions)["a"]
    assert rows(predictions)["long"] == [
        (start + at * (len(PROSE) + 2), end + at * (len(PROSE) + 2), label, score)
        for at in range(8)
        for start, end, label, score in separate
    ]


@pytest.mark.parametrize("text", ["half \ud800 a pair", "😀" * 100_000])
def test_what_no_model_can_read_is_set_aside(recipe, text):
    predictions = detect_spans({"good": "Mr Smith", "bad": text}, recipe)
    assert list(predictions.documents) == ["good"]
    assert [(problem.kind, problem.document) for problem in predictions.problems] == [(ProblemKind.NOT_ANALYSED, "bad")]


@pytest.mark.parametrize("workers", [0, 2])
def test_a_text_that_makes_the_model_fail_is_set_aside_alone(recipe, analyser, monkeypatch, workers):
    detect = analyser.detect

    def fail_on_paris(screened):
        if any("Paris" in item.text for item in screened):
            raise ZeroDivisionError("about Paris")
        return detect(screened)

    monkeypatch.setattr(analyser, "detect", fail_on_paris)
    predictions = detect_spans(TEXTS, recipe, workers=workers)
    assert list(predictions.documents) == ["a", "b", "d"]
    assert [problem.detail for problem in predictions.problems] == ["The model failed with ZeroDivisionError."]


def test_a_worker_that_dies_is_not_waited_for(recipe, analyser, monkeypatch):
    monkeypatch.setattr(analyser, "detect", lambda screened: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(WorkersDied, match="--workers"):
        detect_spans(TEXTS, recipe, workers=2)


def test_an_interrupt_ends_the_workers_at_once(recipe, analyser, monkeypatch):
    detect = analyser.detect
    monkeypatch.setattr(
        analyser, "detect", lambda screened: time.sleep(30 * (len(screened[0].text) < 99)) or detect(screened)
    )
    monkeypatch.setattr(pool, "TASK_TEXTS", 1)

    def interrupt(done, total):
        if done:
            raise KeyboardInterrupt

    before, began = set(multiprocessing.active_children()), time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:  # whose traceback keeps everything alive
        detect_spans(TEXTS, recipe, workers=2, show=interrupt)
    assert time.monotonic() - began < 15
    assert not any(_outlives(child.pid) for child in set(multiprocessing.active_children()) - before if child.pid)
    assert caught.value is not None


# ── Recipes ─────────────────────────────────────────────────────────────────


def test_a_recipe_tells_apart_what_detects_differently(recipe, monkeypatch):
    others = [
        build_recipe(threshold=0.5),
        build_recipe(entities=["PERSON"]),
        build_recipe(recognisers=["UrlRecognizer"]),
    ]
    digests = {recipe.digest, *(other.digest for other in others)}
    assert len(digests) == 4
    assert build_recipe().digest == recipe.digest
    monkeypatch.setattr(presidio.Recipe.__init__, "__defaults__", ("another rule", presidio.VERSION))
    assert build_recipe().digest not in digests


def test_the_order_of_names_does_not_matter():
    assert build_recipe(entities=["URL", "PERSON", "URL"]) == build_recipe(entities=["PERSON", "URL"])


def test_mapped_entities_are_those_that_can_match(recipe):
    scheme = LabelScheme("study", {"DATE_TIME": "DATETIME", "LOCATION": "LOC", "NRP": "DEM"})
    mapped = keep_mapped(recipe, scheme, ["PERSON", "ORG"])
    assert mapped.contents.entities == ("DATE_TIME", "LOCATION", "NRP", "PERSON")


def test_refuses_a_scheme_that_maps_nothing(recipe):
    with pytest.raises(RecipeUnusable, match="--entities"):
        keep_mapped(recipe, LabelScheme("empty"))


@pytest.mark.parametrize("options", [{"entities": ["PERSONS"]}, {"recognisers": ["Url"]}, {"entities": []}])
def test_refuses_names_that_presidio_does_not_have(options):
    with pytest.raises(RecipeUnusable, match="It has: "):
        build_recipe(**options)


def test_refuses_a_model_that_is_not_installed():
    with pytest.raises(ModelMissing, match="not installed"):
        build_recipe("en_core_web_none")


def test_says_how_the_predictions_were_made(recipe):
    details = detect_spans({"a": ""}, recipe).details
    assert details["recipe"] == recipe.digest
    assert model_for("en").name in details["title"]


# ── Nothing twice ───────────────────────────────────────────────────────────


def test_what_was_detected_is_not_detected_again(recipe, tmp_path, monkeypatch):
    first = detect_spans(TEXTS, recipe, cache=tmp_path)
    monkeypatch.setattr(presidio, "detect_texts", lambda *args: pytest.fail("detected again"))
    assert detect_spans(TEXTS, recipe, cache=tmp_path) == first


def test_a_new_document_is_all_that_is_done(recipe, tmp_path, monkeypatch):
    detect_spans(TEXTS, recipe, cache=tmp_path)
    todo = []
    monkeypatch.setattr(presidio, "detect_texts", lambda texts, *args: todo.append(texts) or (_ for _ in ()))
    with pytest.raises(KeyError):
        detect_spans(TEXTS | {"e": "new"}, recipe, cache=tmp_path)
    assert todo == [{text_hash("new"): "new"}]


def test_equal_texts_are_detected_once(recipe):
    totals = []
    predictions = detect_spans({"a": PROSE, "b": PROSE}, recipe, show=lambda done, total: totals.append((done, total)))
    assert rows(predictions)["a"] == rows(predictions)["b"]
    assert totals == [(0, len(PROSE)), (len(PROSE), len(PROSE))]


KILLED_RUN = """
import django, sys, time
django.setup()
from pathlib import Path
from evaluation.spans.systems import pool
from evaluation.spans.systems.presidio import build_recipe, detect_spans
pool.TASK_TEXTS = 1
texts = {str(number): f"Mr Smith number {number} lives in Paris. " * 40 for number in range(400)}
show = lambda done, total: print(done, flush=True)
detect_spans(texts, build_recipe(), workers=2, cache=Path(sys.argv[1]), show=show)
"""


@pytest.mark.processes
def test_a_killed_run_goes_on_where_it_stopped(recipe, tmp_path):
    run = subprocess.Popen([sys.executable, "-c", KILLED_RUN, tmp_path], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    for _ in range(5):
        run.stdout.readline()
    children = _children(run.pid)
    run.kill()
    run.wait()
    run.stdout.close()
    assert len(children) == 2
    assert not any(_outlives(child) for child in children)
    lines = (tmp_path / f"{recipe.digest}.jsonl").read_bytes().splitlines()
    assert 3 <= len(lines) < 400
    assert all(json.loads(line)["spans"] for line in lines[:-1])


def _children(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


def _outlives(pid: int) -> bool:
    for _ in range(250):
        if not os.path.exists(f"/proc/{pid}"):
            return False
        with open(f"/proc/{pid}/stat") as file:
            if file.read().rpartition(")")[2].split()[0] == "Z":
                return False
        time.sleep(0.02)
    return True


# ── Tasks ───────────────────────────────────────────────────────────────────


def test_tasks_hold_every_text_once_longest_first():
    texts = {str(size): "x" * size for size in (5, 30_000, 10, 19_000, 900, 101_000)} | {
        f"short {number}": "y" for number in range(200)
    }
    tasks = plan_tasks(texts)
    assert {key: text for task in tasks for key, text in task} == texts
    assert [len(task[0][1]) for task in tasks][:3] == [101_000, 30_000, 19_000]
    assert all(len(task) == 1 or sum(len(text) for _, text in task) <= pool.TASK_SIZE for task in tasks)
    assert all(len(task) <= pool.TASK_TEXTS for task in tasks)


def test_no_texts_are_no_tasks(analyser):
    assert plan_tasks({}) == []
    assert plan_tasks({"empty": ""}) == [[("empty", "")]]
    assert list(detect_texts({}, analyser, 2)) == []
