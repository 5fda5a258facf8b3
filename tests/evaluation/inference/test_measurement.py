"""A run of a model, a baseline or a file: it ends with a report on everything, or with a sentence."""

import json
import os
import signal
import subprocess
import sys
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotator.models import GoldRecord, SameMeaning
from annotator.privacy.services import forget_account
from evaluation.inference import gold_scores, measurement, model_answers
from evaluation.inference.baselines import BASELINES
from evaluation.inference.measurement import NO_GOLD, SCOPE_GONE
from evaluation.inference.parser import PARSER_VERSION
from evaluation.inference.plans import InferencePlan
from evaluation.inference.run_endpoints import PROMPT_CHANGED
from evaluation.inference.services import request_inference_run
from evaluation.llm.budget import Limit
from evaluation.llm.client import UNREACHED, ModelClient
from evaluation.models import EvaluationInput, EvaluationRun, InferredCase, ModelAttempt
from evaluation.runs import tasks
from evaluation.runs.services import RunRefused, continue_run, repeat_run
from evaluation.runs.storage import InputFile
from evaluation.runs.systems import ENDPOINT_CHANGED, ENDPOINT_GONE, System
from profiles.attributes import Attribute
from profiles.encryption import seal
from profiles.jobs.claims import cancel
from profiles.jobs.states import State, state_of
from tests.annotator.gold.records import make_gold
from tests.evaluation.inference.readers.files import synthpai, write
from tests.evaluation.inference.studies import (
    ANSWER,
    PRICES,
    QUICK,
    baseline_plan,
    do_run,
    finish,
    make_endpoint,
    make_study,
    model_plan,
)
from tests.evaluation.llm.server import ok, reply, serving
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_judgement, make_profile

pytestmark = pytest.mark.django_db(transaction=True)
DEAR = json.dumps(json.loads(reply(ANSWER)) | {"usage": {"prompt_tokens": 1500, "completion_tokens": 500}}).encode()


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


@pytest.fixture
def server():
    with serving() as server:
        server.script = lambda text, times: ok(reply(ANSWER))
        yield server


def outcomes(run: EvaluationRun) -> dict[str, int]:
    names = run.cases.values_list("outcome", flat=True)
    return {name: list(names).count(name) for name in sorted(set(names))}


# ── What a run ends with ────────────────────────────────────────────────────


def test_a_model_is_asked_scored_and_stored(server):
    run = do_run(model_plan(make_study(), make_endpoint(server)))
    assert (state_of(run), run.problem) == (State.FINISHED, "")
    assert (run.done, run.total) == (3, 3)
    assert (run.report["sound"]["n"], run.report["sound"]["top1"]) == (3, 1.0)
    assert run.report["negatives"]["rate"] == 0.5
    assert outcomes(run) == {"negative-abstained": 3, "negative-guessed": 3, "right": 3}
    assert run.headline[0]["value"] == 1.0
    case = run.cases.filter(outcome="right").first()
    assert (case.name, case.profile.pseudonym) == (case.profile.pseudonym, case.name)
    assert case.contents["guesses"] == ["Houston", "Dallas", "Austin"]
    assert (case.contents["confidence"], case.contents["inference"]) == (0.9, "says so")
    costs = run.report["costs"]["model"]
    names = ("calls", "prompt_tokens", "completion_tokens", "cost", "kept", "profiles")
    assert [costs[name] for name in names] == [3, 30, 15, None, 0, 3]
    assert costs["seconds"] > 0
    assert "judged" not in run.report


def test_the_settings_repeat_the_run_and_hold_no_key(server):
    endpoint = make_endpoint(server, sealed_key=seal("secret-key"))
    run = do_run(model_plan(make_study(), endpoint, Limit(tokens=10**6), has_subreddits=True))
    stored = run.settings
    assert run.problem == ""
    assert stored["system"] == {"kind": "endpoint", "endpoint": endpoint.pk, "base_url": server.url, "model": "tiny"}
    assert stored["question"]["has_subreddits"] is True
    assert len(stored["question"]["prompt_sha256"]) == 64
    assert stored["budget"] == {"tokens": 10**6, "money": None}
    assert "secret-key" not in json.dumps([stored, run.inputs, run.report])
    again = finish(repeat_run(run, by=None))
    assert again.signature == run.signature
    assert server.calls.total() == 3
    assert again.report["costs"]["model"]["kept"] == 3


def test_costs_are_by_the_prices_of_the_endpoint(server):
    run = do_run(model_plan(make_study(), make_endpoint(server, **PRICES)))
    costs = run.report["costs"]["model"]
    assert (costs["cost"], costs["currency"], costs["prices_date"]) == (0.00021, "EUR", "2025-05-03")
    assert run.headline[-1]["label"] == "Cost per 1,000 profiles, EUR"


def test_what_people_decided_agreed_on_and_took_is_in_the_report(server):
    corpus = make_corpus()
    profile = make_profile("I drive a van", corpus=corpus)
    make_gold(Attribute.OCCUPATION, "courier", profile=profile)
    batch = make_batch(corpus=corpus)
    for slot in (0, 1):
        assignment = make_assignment(
            batch=batch, annotator=make_annotator(), profile=profile, slot=slot, submitted_at=timezone.now(),
            active_seconds=60,
        )  # fmt: skip
        make_judgement(assignment, Attribute.OCCUPATION, "courier")
    answer = json.dumps({"occupation": {"guesses": ["van jockey"]}})
    server.script = lambda text, times: ok(reply(answer))
    run = do_run(model_plan(corpus, make_endpoint(server)))
    assert (run.report["sound"]["top1"], "decisions" in run.signature) == (0.0, False)
    SameMeaning.objects.create(attribute="occupation", one="courier", other="van jockey", is_same=True)
    again = finish(repeat_run(run, by=None))
    assert again.report["sound"]["top1"] == 1.0
    assert "|decisions:1@" in again.signature
    assert outcomes(again) == {"right": 1}  # by the same decisions as the report
    assert again.report["ceiling"]["pairs"] == 1
    assert again.report["costs"]["people"]["per_reading"]["seconds"] == 60


def test_the_signature_names_gold_prompt_question_and_parser(server):
    run = do_run(model_plan(make_study(), make_endpoint(server)))
    fields = dict(part.split(":", 1) for part in run.signature.split("|"))
    assert fields["gold"] == f"corpus-{run.corpus_id}@{run.inputs['gold']['sha256'][:8]}"
    assert fields["prompt"].startswith("profile-1@")
    assert (fields["parser"], fields["model"]) == (str(PARSER_VERSION), "tiny")
    assert fields["question"] != ""


def test_one_request_for_each_attribute(server):
    run = do_run(model_plan(make_study(), make_endpoint(server), per_attribute=True, only_labelled=True))
    assert server.calls.total() == 3
    run = do_run(model_plan(run.corpus, make_endpoint(server, name="other"), per_attribute=True))
    assert server.calls.total() == 3 + 3 * 7  # location is kept already
    assert outcomes(run) == {"negative-abstained": 3, "negative-guessed": 3, "right": 3}
    assert (run.done, run.total) == (3, 3)


def test_a_baseline_asks_nobody(server):
    run = do_run(baseline_plan(make_study()))
    assert (run.problem, server.calls.total()) == ("", 0)
    assert run.report["baseline"] == {"name": "hints", "description": BASELINES["hints"]}
    assert outcomes(run) == {"abstained": 3, "negative-abstained": 6}
    assert "|baseline:hints@1" in run.signature
    assert run.report["costs"] is None


def test_an_uploaded_file_is_scored_alone(tmp_path):
    path = write(tmp_path / "x.jsonl", synthpai())
    plan = InferencePlan(System.file("gpt-4 (x)", "synthpai", "gpt-4", "human_evaluated"), QUICK)
    run = finish(request_inference_run(plan, InputFile(EvaluationInput.Role.PREDICTIONS, path, "x.jsonl")))
    assert run.problem == ""
    assert run.report["input"]["name"] == "x.jsonl"
    assert run.corpus is None
    assert run.cases.exists()
    assert not run.cases.exclude(profile=None).exists()


# ── Stopped, and going on ───────────────────────────────────────────────────


def test_a_budget_stops_it_without_a_report_and_a_larger_one_goes_on(server, grace):
    server.script = lambda text, times: ok(DEAR)
    run = do_run(model_plan(make_study(), make_endpoint(server), Limit(tokens=2500)))
    assert state_of(run) == State.FAILED
    assert "budget" in run.problem
    assert "1 of 3 profiles" in run.problem
    assert (run.report, run.cases.count()) == ({}, 0)
    again = finish(continue_run(run, Limit(tokens=2600), by=grace))
    assert "1 of 3 profiles" in again.problem  # what was spent before counts
    again = finish(continue_run(again, Limit(tokens=10**6), by=grace))
    assert (again.problem, again.report["sound"]["n"]) == ("", 3)
    assert server.calls.total() == 3


@pytest.mark.parametrize(("status", "words"), [(401, "key"), (404, "model")])
def test_an_endpoint_that_refuses_ends_it_with_a_sentence(server, status, words):
    server.script = lambda text, times: (status, {}, b"{}")
    run = do_run(model_plan(make_study(), make_endpoint(server)))
    assert words in run.problem
    assert "0 of 3 profiles" in run.problem
    assert run.report == {}


def test_profiles_that_could_not_be_reached_leave_no_biased_report(server, monkeypatch):
    monkeypatch.setattr(measurement, "ModelClient", quick_client)
    server.script = lambda text, times: (500, {}, b"") if "Houston 1" in text else ok(reply(ANSWER))
    run = do_run(model_plan(make_study(), make_endpoint(server)))
    assert run.problem.startswith(UNREACHED)
    assert "2 of 3 profiles" in run.problem
    server.script = lambda text, times: ok(reply(ANSWER))
    assert finish(repeat_run(run, by=None)).report["sound"]["n"] == 3
    assert sorted(count for text, count in server.calls.items() if "Houston 1" not in text) == [1, 1]


def quick_client(endpoint, by):
    return ModelClient(endpoint, by, first_wait=0.01)


def test_answers_that_can_never_be_had_count_as_none(server):
    overflow = (400, {}, b'{"error": {"type": "exceed_context_size_error"}}')
    server.script = lambda text, times: overflow if "Houston 1" in text else ok(reply(ANSWER))
    run = do_run(model_plan(make_study(), make_endpoint(server)))
    assert run.problem == ""
    assert run.report["replies"]["problems"] == {"context-overflow": 1}
    assert outcomes(run)["no-answer"] == 1


def test_a_cancelled_run_keeps_its_answers(server):
    run = request_inference_run(model_plan(make_study(), make_endpoint(server)), is_queued=False)

    def script(text, times):
        if server.calls.total() == 2:
            cancel(run)
            connection.close()  # of the server's thread
            time.sleep(2.5)  # a heartbeat
        return ok(reply(ANSWER))

    server.script = script
    run = finish(run)
    assert state_of(run) == State.CANCELLED
    assert run.report == {}
    kept = ModelAttempt.objects.count()
    assert kept in (1, 2)
    server.script = lambda text, times: ok(reply(ANSWER))
    assert finish(repeat_run(run, by=None)).report["sound"]["n"] == 3


KILLED = """
import os, sys, django
from django.conf import settings
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from evaluation.runs import job
job.run(int(sys.argv[2]))
"""


def test_a_killed_run_goes_on_and_asks_nothing_twice(server, monkeypatch):
    """The count is the endpoint's own. What was on its way when the worker died was never answered."""
    run = request_inference_run(model_plan(make_study(5), make_endpoint(server)), is_queued=False)

    def script(text, times):
        if server.calls.total() == 3:
            time.sleep(30)
        return ok(reply(ANSWER))

    server.script = script
    arguments = [sys.executable, "-c", KILLED, connection.settings_dict["NAME"], str(run.pk)]
    with subprocess.Popen(arguments, env=os.environ | {"PYTHONPATH": "."}) as worker:
        wait_until(lambda: ModelAttempt.objects.count() == 2 and server.calls.total() == 3)
        os.kill(worker.pid, signal.SIGKILL)
    answered = set(server.calls) - {list(server.calls)[2]}
    EvaluationRun.objects.filter(pk=run.pk).update(beat_at=timezone.now() - timedelta(minutes=5))
    called = []
    monkeypatch.setattr(tasks.evaluate, "delay", called.append)
    tasks.sweep_evaluations()
    assert called == [run.pk]
    server.script = lambda text, times: ok(reply(ANSWER))
    run = finish(run)
    assert (run.problem, run.report["sound"]["n"]) == ("", 5)
    assert [server.calls[text] for text in answered] == [1] * len(answered)
    assert server.calls.total() == 5 + 1


def wait_until(is_true) -> None:
    for _ in range(600):
        if is_true():
            return
        time.sleep(0.05)
    raise AssertionError("It never came true.")


def test_a_live_run_cannot_go_on(server, grace):
    run = request_inference_run(model_plan(make_study(), make_endpoint(server)), is_queued=False)
    with pytest.raises(RunRefused):
        continue_run(run, Limit(), by=grace)


def test_a_newer_parser_reads_kept_answers_again(server, monkeypatch):
    run = do_run(model_plan(make_study(), make_endpoint(server)))
    monkeypatch.setattr(measurement, "PARSER_VERSION", 99)
    monkeypatch.setattr(gold_scores, "PARSER_VERSION", 99)
    parse = model_answers.parse_reply
    monkeypatch.setattr(model_answers, "parse_reply", lambda text, names: parse("Type: location\nGuess: Oslo", names))
    again = finish(repeat_run(run, by=None))
    assert server.calls.total() == 3
    assert again.report["sound"]["top1"] == 0.0
    assert "parser:99" in again.signature
    assert again.inputs["parser"] == 99


# ── What changed meanwhile ──────────────────────────────────────────────────


def test_a_profile_taken_down_during_the_run_leaves_nothing(server):
    corpus = make_study()
    gone = corpus.profiles.order_by("pk").first()

    def script(text, times):
        if server.calls.total() == 3:
            forget_account(f"account{gone.pseudonym.rpartition('-')[2]}")
            connection.close()  # of the server's thread
        return ok(reply(ANSWER))

    server.script = script
    run = do_run(model_plan(corpus, make_endpoint(server)))
    assert run.problem == ""
    assert run.cases.values("profile").distinct().count() == 2
    assert not InferredCase.objects.filter(name=gone.pseudonym).exists()
    assert ModelAttempt.objects.filter(profile=None).count() == 0
    assert ModelAttempt.objects.count() == 2


def test_a_changed_or_removed_endpoint_is_not_asked(server):
    endpoint = make_endpoint(server)
    run = do_run(model_plan(make_study(), endpoint))
    endpoint.model = "large"
    endpoint.save(update_fields=["model"])
    assert finish(repeat_run(run, by=None)).problem == ENDPOINT_CHANGED
    endpoint.archived_at = timezone.now()
    endpoint.save(update_fields=["archived_at"])
    assert finish(repeat_run(run, by=None)).problem == ENDPOINT_GONE
    assert server.calls.total() == 3


def test_an_endpoint_on_a_host_that_nobody_allowed_is_not_asked(server):
    endpoint = make_endpoint(base_url="https://models.example/v1")
    assert "models.example" in do_run(model_plan(make_study(), endpoint)).problem


def test_a_prompt_with_other_words_is_not_used(server):
    run = do_run(model_plan(make_study(), make_endpoint(server)))
    changed = run.settings | {"question": run.settings["question"] | {"prompt_sha256": "0" * 64}}
    other = EvaluationRun.objects.create(kind="inference", name="x", system="x", settings=changed, corpus=run.corpus)
    assert finish(other).problem == PROMPT_CHANGED


def test_a_scope_that_is_gone_or_empty_is_a_sentence():
    corpus = make_study()
    run = EvaluationRun.objects.create(
        kind="inference",
        name="x",
        system="x",
        corpus=corpus,
        settings=baseline_plan(corpus).settings() | {"batch": 999},
    )
    assert finish(run).problem == SCOPE_GONE
    GoldRecord.objects.all().delete()
    assert do_run(baseline_plan(corpus)).problem == NO_GOLD
