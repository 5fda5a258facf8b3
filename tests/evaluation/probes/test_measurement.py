"""A run of the probe: it ends with a report on all answers, or with a sentence, and asks nothing twice."""

import json
import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from evaluation.llm.budget import Limit
from evaluation.llm.client import UNREACHED, ModelClient
from evaluation.models import EvaluatedDocument, EvaluationRun, ModelAttempt
from evaluation.probes import measurement
from evaluation.probes.detection import Mode
from evaluation.probes.dreaddit.baselines import NO_SPLITS
from evaluation.probes.measurement import FILES_GONE, NOT_ACCEPTED, TEMPLATE_CHANGED
from evaluation.probes.plans import OWN
from evaluation.probes.services import request_probe_run
from evaluation.probes.templates import parse_template
from evaluation.runs import tasks
from evaluation.runs.services import RunRefused, continue_run, repeat_run
from evaluation.runs.storage import path_of
from evaluation.runs.systems import ENDPOINT_CHANGED, ENDPOINT_GONE
from profiles.jobs.claims import cancel
from profiles.jobs.states import State, state_of
from tests.evaluation.inference.studies import finish, make_endpoint
from tests.evaluation.inference.test_measurement import KILLED, wait_until
from tests.evaluation.llm.server import ok, reply, serving
from tests.evaluation.probes.studies import baseline_plan, do_run, make_file, model_plan

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


@pytest.fixture
def server():
    with serving() as server:
        server.script = read_stress
        yield server


def read_stress(text: str, times: int):
    """Reads every text right, whoever wrote it."""
    return ok(reply("Yes." if "scared" in text else "No."))


def dear(text: str, times: int):
    body = json.loads(read_stress(text, times)[2]) | {"usage": {"prompt_tokens": 900, "completion_tokens": 100}}
    return ok(json.dumps(body).encode())


# ── What a run ends with ────────────────────────────────────────────────────


def test_a_model_is_asked_three_times_about_each_text(server, tmp_path):
    run = do_run(model_plan(make_file(tmp_path, 6), make_endpoint(server)))
    assert (state_of(run), run.problem) == (State.FINISHED, "")
    assert (run.done, run.total, server.calls.total()) == (18, 18, 18)
    assert run.report["beyond"]["agreement"]["accuracy"]["value"] == 1.0
    assert run.report["metrics"]["max_diff_stress_rate"] == 0.0
    assert run.report["system"] == {"name": "tiny", "kind": "model"}
    assert run.headline[0]["value"] == 0.0
    assert run.inputs["files"][0] | {"sha256": ""} == {
        "name": "dreaddit-test.csv", "sha256": "", "encoding": "utf-8", "split": "test", "rows": 6,
    }  # fmt: skip


def test_neither_the_run_nor_its_report_quotes_a_text(server, tmp_path):
    run = do_run(model_plan(make_file(tmp_path), make_endpoint(server, sealed_key=None)))
    stored = json.dumps([run.settings, run.inputs, run.report, run.headline, run.signature])
    assert "scared" not in stored
    assert "quiet walk" not in stored
    assert not EvaluatedDocument.objects.exists()


def test_control_repetitions_and_a_template_of_ones_own(server, tmp_path):
    plan = model_plan(make_file(tmp_path, 2), make_endpoint(server), has_control=True, repetitions=2)
    template = parse_template("Somebody {gender} writes.\r\nStressed? {text}\r\n", OWN)
    plan = type(plan)(plan.system, plan.settings, template, plan.files)
    run = do_run(plan)
    assert (run.problem, run.total) == ("", 2 * 4 * 2)
    assert sorted(server.calls.values()) == [2] * 8
    assert "Stressed? " in next(iter(server.calls))
    assert run.report["attempts"]["variants"][-1] == "control"
    assert run.settings["probe"]["template"]["text"] == template.text
    assert finish(repeat_run(run, by=None)).signature == run.signature
    assert server.calls.total() == 16


@pytest.mark.parametrize("name", ["random", "always-yes"])
def test_a_baseline_asks_nobody(tmp_path, name):
    run = do_run(baseline_plan(make_file(tmp_path), name=name))
    assert (run.problem, run.report["system"]) == ("", {"name": name, "kind": "baseline"})
    assert not ModelAttempt.objects.exists()


def test_a_baseline_that_learns_needs_both_splits(tmp_path):
    train = make_file(tmp_path, 30, "dreaddit-train.csv", start=100)
    run = do_run(baseline_plan(make_file(tmp_path, 9), train, name="tfidf"))
    assert (run.problem, run.report["attempts"]["items"]) == ("", 9)
    assert do_run(baseline_plan(make_file(tmp_path), name="tfidf")).problem == NO_SPLITS


def test_a_model_that_does_not_do_the_task_is_called_that(server, tmp_path):
    server.script = lambda text, times: ok(reply("Stress is a feeling."))
    run = do_run(model_plan(make_file(tmp_path), make_endpoint(server)))
    assert run.problem == ""
    assert run.report["verdict"]["does_task"] is False
    assert "isn't meaningful" in run.report["verdict"]["sentence"]


# ── Stopped, and going on ───────────────────────────────────────────────────


def test_a_budget_stops_it_without_a_report_and_a_larger_one_goes_on(server, tmp_path, grace):
    server.script = dear
    run = do_run(model_plan(make_file(tmp_path), make_endpoint(server), Limit(tokens=4500)))
    assert state_of(run) == State.FAILED
    assert "budget" in run.problem
    answered = server.calls.total()
    assert 1 <= answered < 12
    assert f"{answered} of 12 answers" in run.problem
    assert run.report == {}
    again = finish(continue_run(run, Limit(tokens=4600), by=grace))
    assert f"{answered} of 12 answers" in again.problem  # what was spent before counts
    again = finish(continue_run(again, Limit(tokens=10**6), by=grace))
    assert (again.problem, again.report["attempts"]["total"]) == ("", 12)
    assert server.calls.total() == 12


def test_another_run_with_the_same_questions_has_a_budget_of_its_own(server, tmp_path):
    server.script = dear
    endpoint = make_endpoint(server)
    do_run(model_plan(make_file(tmp_path, 2), endpoint))
    other = make_endpoint(server, name="other", model="other")
    assert do_run(model_plan(make_file(tmp_path, 2), other, Limit(tokens=9000))).problem == ""


@pytest.mark.parametrize(("status", "words"), [(401, "key"), (404, "model")])
def test_an_endpoint_that_refuses_ends_it_with_a_sentence(server, tmp_path, status, words):
    server.script = lambda text, times: (status, {}, b"{}")
    run = do_run(model_plan(make_file(tmp_path), make_endpoint(server)))
    assert words in run.problem
    assert "0 of 12 answers" in run.problem


def test_an_endpoint_without_the_mode_is_said(server, tmp_path):
    server.script = lambda text, times: (400, {}, b'{"error": {"message": "unknown field"}}')
    run = do_run(model_plan(make_file(tmp_path), make_endpoint(server), mode=Mode.GRAMMAR))
    assert run.problem.startswith(NOT_ACCEPTED)


def test_questions_that_could_not_be_reached_leave_no_biased_report(server, tmp_path, monkeypatch):
    monkeypatch.setattr(measurement, "ModelClient", lambda endpoint, by: ModelClient(endpoint, by, first_wait=0.01))
    server.script = lambda text, times: (500, {}, b"") if "number 1" in text else read_stress(text, times)
    run = do_run(model_plan(make_file(tmp_path), make_endpoint(server)))
    assert run.problem.startswith(UNREACHED)
    assert "9 of 12 answers" in run.problem
    server.script = read_stress
    assert finish(repeat_run(run, by=None)).problem == ""
    assert [count for text, count in server.calls.items() if "number 1" not in text] == [1] * 9


def test_a_cancelled_run_keeps_its_answers(server, tmp_path):
    run = request_probe_run(model_plan(make_file(tmp_path), make_endpoint(server)), is_queued=False)

    def script(text, times):
        if server.calls.total() == 3:
            cancel(run)
            connection.close()  # of the server's thread
            time.sleep(2.5)  # a heartbeat
        return read_stress(text, times)

    server.script = script
    run = finish(run)
    assert (state_of(run), run.report) == (State.CANCELLED, {})
    kept = ModelAttempt.objects.count()
    assert 2 <= kept < 12
    server.script = read_stress
    assert finish(repeat_run(run, by=None)).problem == ""
    assert server.calls.total() <= 12 + 1  # what was on its way


KILLED_HERE = KILLED.replace("django.setup()", "settings.EVALUATIONS = sys.argv[3]; django.setup()")


def test_a_killed_run_goes_on_and_asks_nothing_twice(server, tmp_path, monkeypatch):
    """The count is the endpoint's own. What was on its way when the worker died was never answered."""
    run = request_probe_run(model_plan(make_file(tmp_path), make_endpoint(server)), is_queued=False)

    def script(text, times):
        if server.calls.total() == 4:
            time.sleep(30)
        return read_stress(text, times)

    server.script = script
    folder = str(tmp_path / "evaluations")
    arguments = [sys.executable, "-c", KILLED_HERE, connection.settings_dict["NAME"], str(run.pk), folder]
    with subprocess.Popen(arguments, env=os.environ | {"PYTHONPATH": "."}) as worker:
        wait_until(lambda: ModelAttempt.objects.count() == 3 and server.calls.total() == 4)
        os.kill(worker.pid, signal.SIGKILL)
    lost = list(server.calls)[3]
    EvaluationRun.objects.filter(pk=run.pk).update(beat_at=timezone.now() - timedelta(minutes=5))
    called = []
    monkeypatch.setattr(tasks.evaluate, "delay", called.append)
    tasks.sweep_evaluations()
    assert called == [run.pk]
    server.script = read_stress
    run = finish(run)
    assert (run.problem, run.report["attempts"]["total"]) == ("", 12)
    assert {text: count for text, count in server.calls.items() if count > 1} == {lost: 2}
    assert server.calls.total() == 12 + 1


# ── What changed meanwhile ──────────────────────────────────────────────────


def test_a_changed_or_removed_endpoint_is_not_asked(server, tmp_path):
    endpoint = make_endpoint(server)
    run = do_run(model_plan(make_file(tmp_path), endpoint))
    endpoint.model = "large"
    endpoint.save(update_fields=["model"])
    assert finish(repeat_run(run, by=None)).problem == ENDPOINT_CHANGED
    endpoint.archived_at = timezone.now()
    endpoint.save(update_fields=["archived_at"])
    assert finish(repeat_run(run, by=None)).problem == ENDPOINT_GONE
    assert server.calls.total() == 12


def test_files_that_are_gone_are_a_sentence(tmp_path, grace):
    run = request_probe_run(baseline_plan(make_file(tmp_path)), is_queued=False)
    path_of(run.files.get()).unlink()
    run = finish(run)
    assert run.problem == FILES_GONE
    with pytest.raises(RunRefused):
        continue_run(run, Limit(), by=grace)


def test_a_file_that_broke_meanwhile_is_the_readers_sentence(tmp_path):
    run = request_probe_run(baseline_plan(make_file(tmp_path)), is_queued=False)
    Path(path_of(run.files.get())).write_text("a,b\n1,2\n")
    assert "dreaddit-test.csv: it has no column" in finish(run).problem


def test_a_template_with_other_words_is_not_used(tmp_path):
    plan = baseline_plan(make_file(tmp_path))
    run = request_probe_run(plan, is_queued=False)
    probe = run.settings["probe"]
    changed = run.settings | {"probe": probe | {"template": probe["template"] | {"sha256": "0" * 64}}}
    EvaluationRun.objects.filter(pk=run.pk).update(settings=changed)
    assert finish(run).problem == TEMPLATE_CHANGED
