"""The client against a real server on loopback: failures, retries, limits, kept answers, budgets, hosts."""

import json
import logging
import re
import threading
import time
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import count, islice

import pytest
from django.db import IntegrityError, connection, connections, transaction

from annotator.models import AuditEntry
from annotator.privacy.services import forget_account
from evaluation.llm.attempts import Attempt, AttemptStore
from evaluation.llm.budget import Budget, BudgetReached, Prices
from evaluation.llm.client import WRONG_KEY, WRONG_STORED_KEY, EndpointUnusable, ModelClient
from evaluation.llm.endpoints import Endpoint, EndpointRefused, open_endpoint
from evaluation.llm.requests import ChatAnswer, ChatRequest, Problem
from evaluation.models import ModelAttempt
from profiles.models import Profile
from tests.annotator.privacy.forgotten_account import NAME, make_account
from tests.evaluation.llm.server import ok, reply, serving

pytestmark = pytest.mark.django_db


@pytest.fixture
def server():
    with serving() as server:
        yield server


def request(text: str = "Where do I live?", **more) -> ChatRequest:
    return ChatRequest((("user", text),), **more)


def ask(server, requests, *, budget=None, run="", tell=lambda standing: None, **more):
    endpoint = Endpoint(server.url, "small", **({"timeout": 5.0, "tries": 3, "concurrency": 4} | more))
    client = ModelClient(endpoint, first_wait=0.01)
    store = AttemptStore(endpoint.base_url, "small", run)
    return client.ask_all(requests, attempts=store, budget=budget or Budget(), tell=tell)


def ask_one(server, **more):
    ((_, answer),) = ask(server, [("a", request())], **more)
    return answer


# ── What a server may answer ────────────────────────────────────────────────


def test_an_answer_comes_with_its_tokens_and_is_kept(server):
    answer = ask_one(server, key="secret-key")
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens, answer.problem) == ("Houston", 10, 5, "")
    row = ModelAttempt.objects.get()
    assert (row.text, row.request["messages"][0]["content"]) == ("Houston", "Where do I live?")
    assert server.headers[0]["Authorization"] == "Bearer secret-key"
    assert "secret-key" not in json.dumps(row.request)


@pytest.mark.parametrize(
    ("response", "problem"),
    [
        ((200, {}, b'{"choices": []}'), Problem.EMPTY),
        ((200, {}, reply("")), Problem.EMPTY),
        ((200, {}, reply("", finish_reason="content_filter")), Problem.REFUSED_BY_SERVER),
        ((400, {}, b'{"error": {"code": "content_filter"}}'), Problem.REFUSED_BY_SERVER),
        ((400, {}, b'{"error": {"type": "exceed_context_size_error"}}'), Problem.CONTEXT_OVERFLOW),
        ((200, {}, b'{"choices": "' + b"x" * 3_000_000), Problem.TOO_LARGE),
        ((422, {}, b"{}"), Problem.BAD_REQUEST),
    ],
)
def test_what_will_not_change_is_asked_once_and_named(server, response, problem):
    server.script = lambda text, times: response
    assert ask_one(server).problem == problem
    assert server.calls.total() == 1
    assert ModelAttempt.objects.count() == (problem != Problem.BAD_REQUEST)


def test_a_refusal_keeps_its_words(server):
    message = {"content": None, "refusal": "I can't help with that."}
    server.script = lambda text, times: ok(reply(message=message))
    answer = ask_one(server)
    assert (answer.text, answer.problem) == (message["refusal"], Problem.REFUSED_BY_SERVER)


@pytest.mark.parametrize(
    "response",
    [
        (500, {}, b""),
        (503, {}, b"loading"),
        (429, {"Retry-After": "0.01"}, b""),
        (200, {}, reply()[:30]),
        (200, {"Content-Length": "900"}, reply()),
        (200, {}, b"[]"),
    ],
)
def test_what_may_pass_is_tried_again(server, response):
    def script(text, times):
        return response if times == 1 else ok()

    server.script = script
    assert ask_one(server, timeout=0.3).text == "Houston"
    assert server.calls.total() == 2


@pytest.mark.parametrize(("body", "problem"), [(b"", Problem.GAVE_UP), (b"{", Problem.BAD_ANSWER)])
def test_gives_up_after_its_tries_and_keeps_nothing(server, body, problem):
    server.script = lambda text, times: (200 if body else 500, {}, body)
    assert ask_one(server).problem == problem
    assert server.calls.total() == 3
    assert not ModelAttempt.objects.exists()


def test_retry_after_is_waited_for_but_not_for_ever(server):
    server.script = lambda text, times: (
        (429, {"Retry-After": "0.3" if times == 1 else "9999"}, b"") if times < 3 else ok()
    )
    assert ask_one(server, longest_wait=0.4).text == "Houston"
    waits = [later - earlier for earlier, later in zip(server.at, server.at[1:], strict=False)]
    assert waits[0] >= 0.29
    assert 0.39 <= waits[1] < 3


def test_a_server_that_hangs_is_left(server):
    release = threading.Event()
    server.script = lambda text, times: (release.wait(5), ok())[1]
    began = time.monotonic()
    assert ask_one(server, timeout=0.1, tries=2).problem == Problem.GAVE_UP
    assert time.monotonic() - began < 3
    release.set()


@pytest.mark.parametrize("response", [(401, {}, b""), (404, {}, b""), (307, {"Location": "http://127.0.0.2:1/"}, b"")])
def test_what_no_request_survives_ends_the_run(server, response):
    server.script = lambda text, times: response
    with pytest.raises(EndpointUnusable):
        list(ask(server, ((str(n), request(str(n))) for n in range(500))))
    assert server.calls.total() <= 16


def test_a_wrong_key_is_named_where_it_comes_from(server, monkeypatch):
    monkeypatch.setenv("TELLTALE_MODEL_KEY", "old")
    server.script = lambda text, times: (401, {}, b"")
    for endpoint, sentence in (
        (open_endpoint(server.url, "small"), WRONG_KEY.format(variable="TELLTALE_MODEL_KEY")),
        (open_endpoint(server.url, "small", key_variable="OTHER"), WRONG_KEY.format(variable="OTHER")),
        (Endpoint(server.url, "small", "stored"), WRONG_STORED_KEY),
    ):
        attempts = AttemptStore(endpoint.base_url, endpoint.model)
        with pytest.raises(EndpointUnusable, match=re.escape(sentence)):
            list(ModelClient(endpoint).ask_all([("a", request())], attempts=attempts, budget=Budget(), tell=print))


def test_a_redirect_is_not_followed_and_nobody_else_sees_texts_or_key(server):
    with serving() as other:
        server.script = lambda text, times: (308, {"Location": f"{other.url}/chat/completions"}, b"")
        with pytest.raises(EndpointUnusable):
            ask_one(server, key="secret-key")
        assert not other.calls
    assert server.calls.total() == 1


def test_an_endpoint_that_is_gone_ends_the_run(server):
    server.script = lambda text, times: (500, {}, b"")
    with pytest.raises(EndpointUnusable):
        list(ask(server, ((str(n), request(str(n))) for n in range(500)), tries=1))
    assert server.calls.total() <= 36


# ── Kept answers ────────────────────────────────────────────────────────────


def test_a_run_that_stopped_goes_on_without_repeating_a_call(server):
    questions = [(str(n), request(str(n))) for n in range(30)]
    answers = ask(server, questions, concurrency=1)
    first = dict(islice(answers, 10))
    answers.close()
    rest = dict(ask(server, questions))
    assert set(rest) == {key for key, _ in questions}
    assert {key: rest[key] for key in first} == first
    assert set(server.calls.values()) == {1}


def test_a_cache_that_was_written_in_part_is_filled_up(server):
    """As a killed run leaves it: what was kept is whole, because answers that arrive together are kept together."""
    questions = [(str(n), request(str(n))) for n in range(6)]
    list(ask(server, questions[:3]))
    assert len(list(ask(server, questions))) == 6
    assert set(server.calls.values()) == {1}


def test_answers_are_kept_together_or_not_at_all():
    store, answer = AttemptStore("http://127.0.0.1/v1", "small"), ChatAnswer("Houston", "stop", 1, 1, 0.1, None)
    attempts = [Attempt(store.digest(request(text)), request(text), answer) for text in "ab"]
    broken = replace(attempts[1], answer=answer.after(-1.0))
    with pytest.raises(IntegrityError), transaction.atomic():
        store.keep_all([attempts[0], broken])
    assert not ModelAttempt.objects.exists()
    store.keep_all(attempts)
    store.keep_all([replace(attempts[0], answer=replace(answer, text="later"))])
    assert set(ModelAttempt.objects.values_list("text", flat=True)) == {"Houston"}


def test_everything_about_an_answer_is_kept(server):
    entries = [{"token": "Hou", "logprob": -0.25, "top_logprobs": []}]
    server.script = lambda text, times: ok(reply(logprobs={"content": entries}, finish_reason="length"))
    prices = Prices(Decimal(3), Decimal(7), "EUR", date(2026, 11, 1))
    first = ask_one(server, run="7", budget=Budget(prices=prices))
    row = ModelAttempt.objects.get()
    assert (row.run, row.base_url, row.model, row.finish_reason) == ("7", server.url, "small", "length")
    assert (row.prompt_tokens, row.completion_tokens, row.cost) == (10, 5, Decimal("0.000065"))
    assert row.request == request().payload("small")
    assert row.answered_at
    assert ask_one(server, run="7") == first
    assert first.logprobs == tuple(entries)


def test_an_answer_without_logprobs_has_none_in_the_database(server):
    ask_one(server)
    assert ModelAttempt.objects.filter(logprobs__isnull=True).exists()


def test_the_same_question_twice_in_a_run_is_asked_once(server):
    server.script = lambda text, times: (time.sleep(0.05), ok())[1]
    assert len(list(ask(server, [(str(n), request()) for n in range(6)]))) == 6
    assert server.calls.total() == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_ask_the_same(server):
    server.script = lambda text, times: (time.sleep(0.02), ok())[1]
    questions = [(str(n), request(str(n))) for n in range(20)]
    counts = []

    def work():
        counts.append(len(list(ask(server, questions))))
        connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [20, 20]
    assert set(server.calls.values()) == {1}


def test_no_lock_is_left(server):
    answers = ask(server, ((str(n), request(str(n))) for n in count()))
    next(answers)
    answers.close()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        assert cursor.fetchone() == (0,)


@pytest.mark.parametrize(
    ("text", "kept"),
    [("Hou\x00ston \ud800", "Houston ?"), ("🤠 Houston", "🤠 Houston"), ("\\u0000 \\ud8", "\\u0000 \\ud8")],
)
def test_characters_that_postgres_cannot_hold_are_left_out(server, text, kept):
    server.script = lambda _, times: ok(reply(text))
    ask_one(server)
    assert ModelAttempt.objects.get().text == kept


def test_an_answer_about_a_profile_that_was_taken_down_is_not_kept(server):
    profile = make_account()

    def tell(standing):
        if standing.in_flight and Profile.objects.exists():
            forget_account(NAME)

    ((_, answer),) = ask(server, [("a", request(profile_id=profile.pk))], tell=tell)
    assert answer.text == "Houston"
    assert not ModelAttempt.objects.exists()


# ── Limits ──────────────────────────────────────────────────────────────────


def test_requests_are_read_as_they_are_needed_and_never_more_than_allowed_are_on_their_way(server):
    server.script = lambda text, times: (time.sleep(0.005), ok())[1]
    read = count()
    answers = ask(server, ((str(next(read)), request(str(n))) for n in count()), concurrency=3)
    list(islice(answers, 30))
    answers.close()
    assert next(read) <= 50
    assert server.most_busy <= 3


def test_the_rate_is_kept(server):
    list(ask(server, [(str(n), request(str(n))) for n in range(4)], per_minute=600))
    assert max(server.at) - min(server.at) >= 0.28


def test_a_budget_stops_cleanly_and_counts_what_the_run_paid_before(server):
    questions = [(str(n), request(str(n), max_tokens=20)) for n in range(10)]
    arrived = []
    with pytest.raises(BudgetReached):
        arrived.extend(ask(server, questions, budget=Budget(tokens=50), run="7"))
    calls = server.calls.total()
    assert calls == ModelAttempt.objects.count() == 2  # 30 tokens; the next could cost 21 more
    with pytest.raises(BudgetReached):
        list(ask(server, questions, budget=Budget(tokens=50), run="7"))
    assert server.calls.total() == calls
    assert len(list(ask(server, questions, run="7"))) == 10


def test_what_tell_raises_ends_the_run(server):
    def tell(standing):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(ask(server, [("a", request())], tell=tell))


# ── Where texts may go ──────────────────────────────────────────────────────


def test_a_proxy_of_the_environment_is_ignored(server, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert ask_one(server).text == "Houston"


@pytest.mark.parametrize("url", ["http://[::1]:8/v1", "http://localhost/v1", "http://127.9.9.9:8/v1"])
def test_this_machine_is_always_allowed(url):
    assert open_endpoint(url, "small").is_local


@pytest.mark.parametrize(
    "url",
    ["ftp://127.0.0.1", "127.0.0.1:80", "http://me:key@127.0.0.1/v1", "http://127.0.0.1/v1?key=1", "http://x:no/"],
)
def test_other_addresses_are_refused_without_their_password(url):
    with pytest.raises(EndpointRefused) as refusal:
        open_endpoint(url, "small")
    assert "me:" not in str(refusal.value)


@pytest.mark.parametrize(
    ("hosts", "confirmed"), [([], "a.example"), (["a.example"], ""), (["a.example"], "b.example"), (["example"], "")]
)
def test_other_hosts_need_the_setting_and_a_confirmation(settings, hosts, confirmed):
    settings.MODEL_HOSTS = hosts
    with pytest.raises(EndpointRefused):
        ModelClient(Endpoint("https://a.example/v1", "small", send_texts_to=confirmed))
    settings.MODEL_HOSTS = ["a.example"]
    assert not open_endpoint("https://A.example/v1", "small", send_texts_to="A.example").is_local


def test_sending_texts_elsewhere_is_in_the_audit_log(server, settings, monkeypatch):
    """The check is for names: to the server on this machine, by a name that isn't known as local."""
    monkeypatch.setattr("evaluation.llm.endpoints.is_loopback", lambda host: False)
    settings.MODEL_HOSTS = ["127.0.0.1"]
    list(ask(server, [(str(n), request(str(n))) for n in range(3)], send_texts_to="127.0.0.1"))
    entry = AuditEntry.objects.get(action=AuditEntry.Action.TEXTS_SENT)
    assert entry.details == {"host": "127.0.0.1", "model": "small"}


def test_nothing_is_logged_about_a_request(server, caplog, capfd):
    with caplog.at_level(logging.DEBUG):
        ask_one(server, key="secret-key")
    output = "".join((caplog.text, *capfd.readouterr()))
    assert "secret-key" not in output
    assert "Where do I live" not in output


def test_the_key_is_not_shown():
    assert "secret" not in repr(Endpoint("http://127.0.0.1/v1", "small", "secret"))


def test_a_key_that_no_header_can_hold_is_refused(monkeypatch):
    monkeypatch.setenv("TELLTALE_MODEL_KEY", "two\nlines")
    with pytest.raises(EndpointRefused) as refusal:
        open_endpoint("http://127.0.0.1/v1", "small")
    assert "two" not in str(refusal.value)
