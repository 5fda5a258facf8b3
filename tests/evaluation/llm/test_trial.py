"""“Try it”, against real servers: what came back, in words, and without anybody's texts."""

import json
import socket
import time

import pytest

from evaluation.llm import trial, views
from evaluation.llm.connection import Trouble
from evaluation.llm.endpoints import Endpoint
from evaluation.llm.requests import Problem
from evaluation.llm.trial import NO, PROBLEMS, TROUBLES, UNKNOWN, WORD, YES, Trial, try_endpoint
from tests.evaluation.llm.rows import ELSEWHERE, make_endpoint
from tests.evaluation.llm.server import ok, reply, serving

HTMX = {"HX-Request": "true"}


@pytest.fixture
def server():
    with serving() as server:
        server.script = lambda text, times: ok(reply("Hello!"))
        yield server


def try_at(server, **more) -> Trial:
    return try_endpoint(Endpoint(server.url, "small", **more))


def honest(server):
    """A server that honours everything."""

    def script(text, times):
        body = server.bodies[-1]
        if "response_format" in body:
            return ok(reply(json.dumps({"word": WORD})))
        if "grammar" in body:
            return ok(reply(WORD))
        return ok(reply("Hello!", logprobs={"content": [{"token": "H", "logprob": -0.1, "top_logprobs": []}]}))

    server.script = script


def test_a_model_that_answers_is_timed_and_sent_nobodys_texts(server):
    assert try_at(server).sentence.startswith("The model answers")
    assert {body["messages"][-1]["content"] for body in server.bodies} == {"Say hello."}
    assert len(server.bodies) == 4
    assert max(body["max_tokens"] for body in server.bodies) < 50


def test_what_is_honoured_is_told(server, monkeypatch):
    monkeypatch.setattr(trial, "ThreadPoolExecutor", lambda size: OneByOne())
    assert (try_at(server).schema, try_at(server).grammar, try_at(server).logprobs) == (NO, NO, NO)
    honest(server)
    answer = try_at(server)
    assert (answer.schema, answer.grammar, answer.logprobs) == (YES, YES, YES)


class OneByOne:
    """So that the server knows which request it answers."""

    map = staticmethod(map)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize(("status", "verdict"), [(422, NO), (500, UNKNOWN)])
def test_what_the_endpoint_refuses_or_does_not_tell(server, status, verdict):
    server.script = lambda text, times: ok(reply("Hello!")) if times == 1 else (status, {}, b"{}")
    answer = try_at(server)
    assert (answer.is_good, answer.schema, answer.grammar, answer.logprobs) == (True, verdict, verdict, verdict)


@pytest.mark.parametrize(
    ("response", "sentence"),
    [
        ((401, {}, b"{}"), PROBLEMS[Problem.WRONG_KEY]),
        ((404, {}, b"{}"), PROBLEMS[Problem.UNKNOWN_MODEL]),
        ((302, {"Location": "http://127.0.0.2/"}, b""), PROBLEMS[Problem.REDIRECTED]),
        ((400, {}, b"{}"), PROBLEMS[Problem.BAD_REQUEST]),
        ((200, {}, b"<html>"), TROUBLES[Trouble.NOT_CHAT]),
        ((429, {}, b""), TROUBLES[Trouble.BUSY]),
        ((503, {}, b""), TROUBLES[Trouble.BROKEN]),
    ],
)
def test_what_is_wrong_is_said_after_one_request(server, response, sentence):
    server.script = lambda text, times: response
    assert try_at(server) == Trial(sentence, is_good=False)
    assert server.calls.total() == 1


def test_every_problem_has_its_sentence():
    assert set(Problem) - set(PROBLEMS) == {Problem.NONE, Problem.EMPTY, Problem.BAD_ANSWER, Problem.GAVE_UP}
    assert set(Trouble) - set(TROUBLES) == {Trouble.NONE}


def test_an_empty_answer_is_an_answer(server):
    server.script = lambda text, times: ok(reply(""))
    assert try_at(server).is_good


def test_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        outcome = try_endpoint(Endpoint(f"http://127.0.0.1:{port}/v1", "small"))
    assert outcome.sentence == TROUBLES[Trouble.NOBODY]


def test_a_slow_server_is_left(server):
    server.script = lambda text, times: (time.sleep(0.5), ok())[1]
    assert try_at(server, timeout=0.1).sentence == TROUBLES[Trouble.SLOW]


# ── On the page ─────────────────────────────────────────────────────────────


def test_the_button_shows_what_came_back_with_and_without_htmx(as_grace, server):
    row = make_endpoint(server.url)
    fragment = as_grace.post(f"/evaluations/endpoints/{row.pk}/try/", headers=HTMX).content.decode()
    assert "The model answers" in fragment
    assert "<html" not in fragment
    page = as_grace.get(f"/evaluations/endpoints/{row.pk}/").content.decode()
    assert "The model answers" in page


def test_a_second_click_sends_nothing(as_grace, server):
    row = make_endpoint(server.url)
    assert as_grace.post(f"/evaluations/endpoints/{row.pk}/try/").status_code == 302
    response = as_grace.post(f"/evaluations/endpoints/{row.pk}/try/", headers=HTMX)
    assert views.JUST_NOW in response.content.decode()
    assert "The model answers" in response.content.decode()
    assert server.calls.total() == 4


def test_a_result_is_not_shown_for_an_endpoint_that_was_changed(as_grace, server):
    row = make_endpoint(server.url)
    as_grace.post(f"/evaluations/endpoints/{row.pk}/try/")
    row.model = "other"
    row.save(update_fields=["model"])
    assert "The model answers" not in as_grace.get(f"/evaluations/endpoints/{row.pk}/").content.decode()


def test_a_host_that_is_not_confirmed_is_not_tried(as_grace, settings):
    settings.MODEL_HOSTS = ["api.example.org"]
    row = make_endpoint(ELSEWHERE)
    response = as_grace.post(f"/evaluations/endpoints/{row.pk}/try/", headers=HTMX)
    assert "can&#x27;t be used yet" in response.content.decode()
