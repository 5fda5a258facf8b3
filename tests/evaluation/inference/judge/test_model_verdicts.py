"""Ask a judge over HTTP: kept answers, limits, schemas that are refused, and what is stored."""

import json

import pytest

from evaluation.inference.judge.model_verdicts import judge_cases
from evaluation.inference.judge.pairs import find_pairs
from evaluation.inference.judge.prompts import load_judge_prompt
from evaluation.inference.judge.services import store_judged
from evaluation.inference.judge.verdicts import Verdict
from evaluation.llm.budget import Budget, estimate_usage
from evaluation.llm.client import ModelClient
from evaluation.llm.endpoints import Endpoint
from evaluation.models import JudgedPair, ModelAttempt
from tests.evaluation.inference.judge.runs import make_inference_run, make_inferred_case
from tests.evaluation.inference.judge.test_pairs import scored
from tests.evaluation.llm.server import ok, reply, serving
from tests.factories import make_profile

pytestmark = pytest.mark.django_db(transaction=True)
GUESSES = {"carer": "less precise", "RN": "Yes!", "lawyer": '{"verdict": "no-match"}', "hmm": "Who knows?"}


@pytest.fixture
def server():
    with serving() as server:
        server.script = lambda text, times: ok(reply(answer_to(text)))
        yield server


def answer_to(text):
    return next(answer for guess, answer in GUESSES.items() if f'"guess": "{guess}"' in text)


def judge(server, items, profile_ids=None, **options):
    client = ModelClient(Endpoint(server.url, "judge", tries=1), first_wait=0.01)
    defaults = {"run": "judge:1", "budget": Budget(), "tell": lambda done, pairs: None}
    return judge_cases(items, profile_ids or [None] * len(items), client, **(defaults | options))


@pytest.fixture
def cases():
    return [scored(guesses=("carer", "nurse", "lawyer")), scored(value="midwife", guesses=("RN", "hmm"))]


def test_verdicts_by_case_and_position(server, cases):
    result = judge(server, cases)
    assert result.verdicts == {(0, 1): Verdict.LESS_PRECISE, (0, 3): Verdict.NO_MATCH, (1, 1): Verdict.MATCH}
    assert (result.pairs, result.undecided, result.ended_early) == (4, 1, "")
    assert result.as_json()["verdicts"] == {"match": 1, "less-precise": 1, "no-match": 1}
    assert {body["temperature"] for body in server.bodies} == {0.0}
    assert all("json_schema" in body["response_format"] for body in server.bodies)


def test_nothing_is_paid_twice(server, cases):
    first = judge(server, cases)
    assert judge(server, cases).verdicts == first.verdicts
    assert sum(server.calls.values()) == 4


def test_spending_is_counted_once(server, cases):
    budget = Budget()
    judge(server, cases, budget=budget)
    assert budget.spent.tokens == 4 * 15
    again = Budget()
    judge(server, cases, budget=again)
    assert again.spent.tokens == 4 * 15


def test_asks_without_a_schema_if_the_endpoint_refuses_it(server, cases):
    def script(text, times):
        has_schema = "response_format" in server.bodies[-1]
        return (400, {}, b'{"error": {"message": "unknown field"}}') if has_schema else ok(reply(answer_to(text)))

    server.script = script
    result = judge(server, cases)
    assert (result.has_schema, len(result.verdicts), dict(result.problems)) == (False, 3, {})
    assert sum("response_format" in body for body in server.bodies) == 1


def test_an_answer_that_fails_zeroes_nothing_else(server, cases):
    server.script = lambda text, times: (500, {}, b"") if '"lawyer"' in text else ok(reply(answer_to(text)))
    result = judge(server, cases)
    assert set(result.verdicts) == {(0, 1), (1, 1)}
    assert sum(result.problems.values()) == 1


def test_a_budget_ends_it_with_the_verdicts_so_far(server, cases):
    """Two answers of 15 tokens leave too little for the longest that a third could be."""
    pair = next(find_pairs(cases, [None] * len(cases)))
    longest = estimate_usage(load_judge_prompt().request(pair)).tokens
    result = judge(server, cases, budget=Budget(tokens=longest + 20))
    assert "budget" in result.ended_early
    assert len(result.verdicts) == 2


def test_a_wrong_key_ends_it(server, cases):
    server.script = lambda text, times: (401, {}, b"{}")
    result = judge(server, cases)
    assert "key" in result.ended_early
    assert result.verdicts == {}


def test_nothing_to_judge_asks_nothing(server):
    assert judge(server, [scored()]).pairs == 0
    assert server.bodies == []


def test_attempts_go_with_the_profile(server, cases):
    profiles = [make_profile(), make_profile()]
    judge(server, cases, [profile.pk for profile in profiles])
    assert ModelAttempt.objects.count() == 4
    profiles[0].delete()
    kept = [json.dumps(attempt.request) for attempt in ModelAttempt.objects.all()]
    assert len(kept) == 2
    assert not any("carer" in request for request in kept)


def test_verdicts_are_stored_with_their_cases(server, cases):
    run, profile = make_inference_run(), make_profile()
    rows = [make_inferred_case(run, 1, profile=profile), make_inferred_case(run, 2)]
    result = judge(server, cases)
    assert store_judged(rows, result) == 3
    stored = JudgedPair.objects.order_by("case__number", "position").values_list("case__number", "position", "verdict")
    assert list(stored) == [(1, 1, "less-precise"), (1, 3, "no-match"), (2, 1, "match")]
    profile.delete()
    assert JudgedPair.objects.count() == 1


def test_cases_that_are_gone_are_left_out(server, cases):
    run, profile = make_inference_run(), make_profile()
    rows = [make_inferred_case(run, 1, profile=profile), None]
    result = judge(server, cases)
    profile.delete()
    assert store_judged(rows, result) == 0
