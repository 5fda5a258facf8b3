"""A search in a worker: two questions, kept answers, and an end with proposals or with a sentence."""

import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from annotator.models import AuditEntry
from evaluation.llm.requests import Problem
from evaluation.models import ModelAttempt, SubredditProposal, SubredditSearch
from evaluation.proposals import job, tasks
from evaluation.proposals.conversation import NO_BUDGET, PROBLEMS
from evaluation.proposals.prompts import SCHEMA
from evaluation.proposals.services.searches import ask_again, cancel_search
from profiles.jobs.states import State, state_of
from tests.evaluation.llm.rows import ELSEWHERE, make_endpoint
from tests.evaluation.llm.server import Server, ok, reply, serving
from tests.evaluation.proposals.searches import NAMES, as_json, conversation, make_search

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def endpoint():
    with serving() as server:
        yield server


@pytest.fixture
def server(endpoint, monkeypatch) -> Server:
    """A server that has heard nothing yet."""
    monkeypatch.setattr(job, "FIRST_WAIT", 0.001)
    endpoint.calls.clear()
    for log in (endpoint.headers, endpoint.bodies, endpoint.at):
        log.clear()
    endpoint.script = conversation()
    return endpoint


def run(search: SubredditSearch) -> SubredditSearch:
    job.run(search.pk)
    search.refresh_from_db()
    return search


def proposals(search):
    return [(p.number, p.name, p.reason, p.is_certain) for p in search.proposals.order_by("number")]


def test_a_search_ends_with_proposals_of_which_some_are_certain(server):
    search = run(make_search(server.url))
    assert state_of(search) == State.FINISHED
    assert (search.done, search.total) == (2, 2)
    assert proposals(search) == [
        (1, "london", "london it is", True),
        (2, "AskUK", "AskUK it is", True),
        (3, "europe", "europe it is", False),
    ]
    assert {p.decision for p in search.proposals.all()} == {SubredditProposal.Decision.OPEN}


def test_both_questions_are_one_conversation(server):
    search = run(make_search(server.url, number=7, examples=["uk"]))
    first, second = (body["messages"] for body in server.bodies)
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert second[:2] == first
    assert second[2]["content"] == as_json(*NAMES)
    assert "7 subreddits" in first[1]["content"]
    assert "r/uk" in first[1]["content"]
    assert server.bodies[0]["response_format"]["json_schema"]["schema"] == SCHEMA
    assert [exchange["question"] for exchange in search.exchanges] == [first[1]["content"], second[3]["content"]]
    assert [exchange["answer"] for exchange in search.exchanges] == [as_json(*NAMES), as_json("London", "AskUK")]


def test_answers_are_kept_and_a_repeat_asks_nothing(server):
    search = run(make_search(server.url))
    again = run(make_search(server.url))
    assert server.calls.total() == 2
    assert proposals(again) == proposals(search)
    assert set(ModelAttempt.objects.values_list("run", flat=True)) == {f"subreddits:{search.pk}"}


def test_an_endpoint_without_schemas_is_asked_for_lines(server):
    def script(text, times):
        if "response_format" in server.bodies[-1]:
            return 400, {}, b'{"error": {"message": "response_format is not supported"}}'
        return conversation("1. r/london - the city\n2. r/uk", "r/london - sure")(text, times)

    server.script = script
    search = run(make_search(server.url))
    assert proposals(search) == [(1, "london", "the city", True), (2, "uk", "", False)]
    assert ["response_format" in body for body in server.bodies] == [True, False, False]
    assert "JSON" not in server.bodies[-1]["messages"][-1]["content"]
    assert [exchange["has_schema"] for exchange in search.exchanges] == [False, False]
    run(make_search(server.url))
    assert len(server.bodies) == 3


def test_names_that_cannot_be_are_counted_and_new_ones_in_the_second_answer_ignored(server):
    server.script = conversation("- r/london\n- r/LONDON\n- **r/Ask Women**", "- r/London\n- r/paris")
    search = run(make_search(server.url))
    assert [(name, is_certain) for _, name, _, is_certain in proposals(search)] == [("london", True)]
    first, second = search.exchanges
    assert (first["names"], first["invalid"]) == (1, 1)
    assert (second["names"], second["new"]) == (1, 1)


def test_what_the_second_answer_lists_as_removed_is_not_certain(server):
    server.script = conversation(second="Kept:\n- r/london\n\nRemoved:\n- r/europe: too general")
    search = run(make_search(server.url))
    assert [name for _, name, _, is_certain in proposals(search) if is_certain] == ["london"]


def test_a_second_answer_without_names_makes_none_certain(server):
    server.script = conversation(second="I'm sorry, I can't judge that.")
    search = run(make_search(server.url))
    assert state_of(search) == State.FINISHED
    assert [is_certain for *_, is_certain in proposals(search)] == [False] * 3
    assert search.exchanges[1]["outcome"] == "refusal"


@pytest.mark.parametrize(
    ("text", "sentence"), [("I'm sorry, but I can't help with that.", job.REFUSED), ("Hm.", job.NOTHING)]
)
def test_a_first_answer_without_names_ends_the_search_with_a_sentence(server, text, sentence):
    server.script = conversation(first=text)
    search = run(make_search(server.url))
    assert (state_of(search), search.problem) == (State.FAILED, sentence)
    assert server.calls.total() == 1
    assert search.exchanges[0]["answer"] == text
    assert not search.proposals.exists()


@pytest.mark.parametrize(
    ("response", "problem"),
    [
        ((401, {}, b""), Problem.WRONG_KEY),
        ((404, {}, b"no such model"), Problem.UNKNOWN_MODEL),
        ((302, {"Location": "http://127.0.0.1/"}, b""), Problem.REDIRECTED),
        ((503, {}, b""), Problem.GAVE_UP),
        ((400, {}, b"bad"), Problem.BAD_REQUEST),
        ((400, {}, b"exceed_context_size_error"), Problem.CONTEXT_OVERFLOW),
        ((200, {}, b"<html>"), Problem.BAD_ANSWER),
        ((200, {}, b'{"choices": []}'), Problem.EMPTY),
        ((200, {}, reply("no", finish_reason="content_filter")), Problem.REFUSED_BY_SERVER),
    ],
)
def test_what_an_endpoint_may_do_ends_with_a_sentence(server, response, problem):
    server.script = lambda text, times: response
    search = run(make_search(server.url))
    assert (state_of(search), search.problem) == (State.FAILED, PROBLEMS[problem])


def test_an_endpoint_that_is_gone_in_the_middle_loses_nothing(server):
    works = conversation()
    server.script = lambda text, times: (401, {}, b"") if text.startswith("Go") else works(text, times)
    search = run(make_search(server.url))
    assert search.problem == PROBLEMS[Problem.WRONG_KEY]
    assert search.exchanges[0]["names"] == 3
    server.script = works
    assert ask_again(search)
    assert state_of(run(search)) == State.FINISHED
    assert search.problem == ""
    assert sorted(server.calls.values()) == [1, 2]
    assert len(search.exchanges) == 2
    assert not ask_again(search)


def test_a_search_stops_before_it_uses_too_many_tokens(server, monkeypatch):
    monkeypatch.setattr(job, "MAX_TOKENS", 100)
    search = run(make_search(server.url))
    assert search.problem == NO_BUDGET
    assert not server.calls


def test_what_the_first_question_used_counts_once(server, monkeypatch):
    """Both questions fit, with nothing to spare for counting the first one twice."""
    server.script = lambda text, times: ok(
        reply(as_json("london"), finish_reason="stop").replace(b'"completion_tokens": 5', b'"completion_tokens": 900')
    )
    monkeypatch.setattr(job, "MAX_TOKENS", 2300)
    assert state_of(run(make_search(server.url))) == State.FINISHED


def test_a_host_that_nobody_confirmed_is_not_asked(settings):
    settings.MODEL_HOSTS = ["api.example.org"]
    search = run(make_search(endpoint=make_endpoint(ELSEWHERE, name="Elsewhere")))
    assert "Elsewhere" in search.problem
    assert not AuditEntry.objects.filter(action=AuditEntry.Action.TEXTS_SENT).exists()


def test_a_search_runs_once_however_often_it_is_called(server):
    search = run(make_search(server.url))
    run(search)
    assert search.proposals.count() == 3
    assert server.calls.total() == 2


def test_a_cancelled_search_stores_nothing(server):
    search = make_search(server.url)
    works = conversation()

    def script(text, times):
        cancelled.wait(5)
        return works(text, times)

    cancelled = threading.Event()
    server.script = script

    def check(self):
        cancel_search(search)
        cancelled.set()
        raise job.JobLost

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job.Heartbeat, "check", check)
        run(search)
    assert state_of(search) == State.CANCELLED
    assert not search.proposals.exists()
    assert ask_again(search)
    assert state_of(run(search)) == State.FINISHED


def test_a_failure_of_our_own_ends_with_a_sentence(server, monkeypatch):
    monkeypatch.setattr(job, "read_answer", lambda text: 1 / 0)
    search = make_search(server.url)
    with pytest.raises(ZeroDivisionError):
        job.run(search.pk)
    search.refresh_from_db()
    assert search.problem == job.BROKE


@pytest.mark.parametrize("text", ["- r/london: a\x00b", "- r/london: \ud800"])
def test_an_answer_with_odd_characters_is_stored(server, text):
    server.script = conversation(first=text)
    assert state_of(run(make_search(server.url))) == State.FINISHED


def test_a_search_whose_worker_was_killed_can_be_asked_again():
    search = make_search()
    gone = timezone.now() - timedelta(minutes=5)
    SubredditSearch.objects.filter(pk=search.pk).update(began_at=gone, beat_at=gone)
    assert ask_again(search)
    assert not ask_again(search)


def test_the_sweep_calls_what_waits_too_long(monkeypatch):
    calls = []
    monkeypatch.setattr(tasks.search_subreddits, "delay", calls.append)
    waiting = make_search()
    SubredditSearch.objects.filter(pk=waiting.pk).update(requested_at=timezone.now() - timedelta(minutes=2))
    make_search()
    tasks.sweep_searches()
    assert calls == [waiting.pk]


def test_the_task_does_the_search(server):
    search = make_search(server.url)
    tasks.search_subreddits(search.pk)
    assert search.proposals.count() == 3
