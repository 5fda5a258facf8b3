"""`serve_model` and everything that asks it, with a real model. How good its answers are is not asserted."""

import json
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Budget
from evaluation.llm.client import ModelClient
from evaluation.llm.endpoints import open_endpoint
from evaluation.llm.requests import ChatAnswer, ChatRequest, Problem
from evaluation.llm.trial import YES, try_endpoint
from evaluation.models import EvaluationRun, ModelAttempt
from profiles.attributes import Attribute
from tests.annotator.gold.records import make_gold
from tests.evaluation.llm.rows import make_endpoint
from tests.factories import make_corpus, make_profile

PROJECT = Path(__file__).resolve().parents[3]
CONTEXT = 2048
SCHEMA = {
    "type": "object", "properties": {"city": {"type": "string", "enum": ["Houston", "Dallas"]}}, "required": ["city"],
    "additionalProperties": False,
}  # fmt: skip
pytestmark = [pytest.mark.model, pytest.mark.long, pytest.mark.django_db(transaction=True)]


@dataclass(frozen=True)
class Served:
    process: subprocess.Popen[str]
    url: str
    lines: list[str]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def serve(port: int) -> subprocess.Popen[str]:
    command = [sys.executable, "manage.py", "serve_model", "--port", str(port), "--context", str(CONTEXT)]
    return subprocess.Popen(command, cwd=PROJECT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


@pytest.fixture(scope="module")
def served():
    """The first run installs the model."""
    port, lines = free_port(), []
    process = serve(port)
    for line in process.stdout:
        lines.append(line)
        if line.startswith("Ready"):
            break
    assert process.poll() is None, lines
    with process:
        yield Served(process, f"http://127.0.0.1:{port}/v1", lines)
        process.kill()


def ask(served: Served, **options) -> ChatAnswer:
    endpoint = open_endpoint(served.url, "smollm2", timeout=60)
    request = ChatRequest((("user", options.pop("text", "Where is the rodeo?")),), **({"max_tokens": 24} | options))
    store = AttemptStore(endpoint.base_url, endpoint.model)
    answers = ModelClient(endpoint).ask_all(
        [("a", request)], attempts=store, budget=Budget(), tell=lambda standing: None
    )
    ((_, answer),) = answers
    return answer


def test_it_says_how_to_use_it_and_who_listens(served):
    words = "".join(served.lines)
    assert f"--endpoint {served.url} --model smollm2" in words
    assert "poor" in words


def test_a_schema_a_grammar_and_logprobs_are_honoured(served):
    answer = ask(served, json_schema=SCHEMA)
    assert json.loads(answer.text)["city"] in ("Houston", "Dallas")
    assert ask(served, grammar='root ::= "yes" | "no"').text in ("yes", "no")
    entries = ask(served, logprobs=True, top_logprobs=3, max_tokens=2).logprobs
    assert len(entries) == 2
    assert all(len(entry["top_logprobs"]) == 3 for entry in entries)


def test_tokens_are_counted(served):
    answer = ask(served, max_tokens=5)
    assert answer.completion_tokens <= 5
    assert answer.prompt_tokens > 0


def test_a_text_that_is_too_long_is_named(served):
    assert ask(served, text="word " * 2 * CONTEXT).problem == Problem.CONTEXT_OVERFLOW


def test_a_trial_finds_all_that_it_honours(served):
    trial = try_endpoint(open_endpoint(served.url, "smollm2"))
    assert (trial.is_good, trial.schema, trial.grammar, trial.logprobs) == (True, YES, YES, YES)


def test_a_stored_endpoint_infers_attributes_and_a_second_run_asks_nothing(served, tmp_path):
    make_endpoint(served.url, concurrency=1)
    corpus = make_corpus("Study")
    for body in ("I moved to Houston last spring and still can't stand the humidity.", "As a nurse I work nights."):
        make_gold(Attribute.LOCATION, "houston / texas / united states", profile=make_profile(body, corpus=corpus))
    files = []
    for _ in range(2):
        out, stdout = tmp_path / "out.jsonl", StringIO()
        call_command("infer_attributes", corpus="Study", endpoint="Small model", out=out, max_tokens=40, stdout=stdout)
        assert "2 of 2 profiles answered" in stdout.getvalue()
        files.append((out.read_text(), set(ModelAttempt.objects.values_list("pk", "answered_at"))))
    assert files[0] == files[1]
    assert len(files[0][1]) == 2


def test_a_port_that_is_taken_is_named(served):
    port = int(served.url.rpartition(":")[2].removesuffix("/v1"))
    second = serve(port)
    output, _ = second.communicate(timeout=60)
    assert second.returncode == 1
    assert f"127.0.0.1:{port}. Stop it" in output


def test_an_interrupt_ends_it_quietly():
    process = serve(free_port())
    lines = iter(process.stdout.readline, "")
    assert any(line.startswith("Ready") for line in lines)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "Traceback" not in rest


def test_defences_are_attacked_and_rewritten_and_a_second_run_asks_nothing(served, tmp_path, settings):
    settings.EVALUATIONS = tmp_path / "evaluations"
    make_endpoint(served.url, concurrency=1)
    body = "I live in Houston and work as a nurse."
    profile = make_profile(body, corpus=make_corpus("Study"))
    start = body.index("Houston")
    span = {"comment": profile.comments.get().pk, "start": start, "end": start + 7, "text": "Houston"}
    make_gold(Attribute.LOCATION, "houston / texas / united states", profile=profile, evidence=[span])
    attempts = []
    for _ in range(2):
        call_command(
            "defend", corpus="Study", endpoint="Small model", defence=["evidence-tag", "rewrite-1"], max_tokens=20,
            only_labelled=True,
        )  # fmt: skip
        attempts.append(set(ModelAttempt.objects.values_list("pk", "answered_at")))
    assert attempts[0] == attempts[1]
    report = EvaluationRun.objects.order_by("pk")[0].report
    assert [row["state"] for row in report["defences"]] == ["complete"] * 3
    rewriting = report["defences"][2]["rewriting"]
    assert sum(rewriting[name] for name in ("rewritten", "missing", "refused", "unrelated", "unchanged")) == 1
