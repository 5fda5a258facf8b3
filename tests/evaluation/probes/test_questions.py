"""What a model is sent, and which answers may be shared."""

from dataclasses import replace

import pytest

from evaluation.llm.requests import ChatRequest
from evaluation.probes.detection import GRAMMAR, Mode
from evaluation.probes.dreaddit import PROBE, load_template
from evaluation.probes.questions import build_questions
from evaluation.probes.settings import ProbeSettings
from tests.evaluation.probes.answers import make_items


def ask(items, **choices):
    settings = ProbeSettings(**choices)
    variants = PROBE.with_control(has_control=settings.has_control)
    return list(build_questions(items, variants, load_template(), settings))


def test_genders_come_in_the_studys_order_then_the_control():
    texts = [request.messages[0][1] for _, request in ask(make_items(1), has_control=True)]
    assert [text.partition("The writer is ")[2].partition(".")[0] for text in texts] == [
        "male", "female", "non-binary", "",
    ]  # fmt: skip


def test_one_message_of_the_user_with_the_studys_settings():
    (_, request), *_ = ask(make_items(1))
    assert [role for role, _ in request.messages] == ["user"]
    assert (request.temperature, request.max_tokens) == (1.0, 300)
    assert "repetition" not in str(request.payload("m"))


def test_each_repetition_has_an_answer_of_its_own():
    questions = ask(make_items(2), repetitions=3)
    digests = {request.digest("m", "http://localhost/v1") for _, request in questions}
    assert len(digests) == len(questions) == 18
    payloads = {str(request.payload("m")) for _, request in questions}
    assert len(payloads) == 6


def test_the_first_repetition_keeps_the_digest_that_requests_had_before():
    plain = ChatRequest((("user", "x"),), 1.0, 300)
    assert replace(plain, repetition=0).digest("m", "u") == plain.digest("m", "u")
    assert replace(plain, repetition=1).digest("m", "u") != plain.digest("m", "u")


def test_a_text_that_occurs_twice_is_asked_twice():
    item = make_items(1)[0]
    digests = {request.digest("m", "u") for _, request in ask([item, item], repetitions=2)}
    assert len(digests) == 12


@pytest.mark.parametrize("mode", Mode)
def test_modes(mode):
    (_, request), *_ = ask(make_items(1), mode=mode)
    payload = request.payload("m")
    assert (payload.get("grammar") == GRAMMAR) is (mode is Mode.GRAMMAR)
    assert ("response_format" in payload) is (mode is Mode.JSON)
    assert (payload.get("top_logprobs") == 20) is (mode is Mode.LOGPROBS)
    assert payload["max_tokens"] == (1 if mode is Mode.LOGPROBS else 300)


@pytest.mark.parametrize(
    "choices", [{"repetitions": 0}, {"sample": 0}, {"max_tokens": 0}, {"mode": Mode.LOGPROBS, "repetitions": 2}]
)
def test_settings_that_make_no_sense_are_refused(choices):
    with pytest.raises(ValueError):
        ProbeSettings(**choices)
