"""Answers of models are read however awkward they are, and never raise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.answers import Answer, kind_of_answer
from evaluation.inference.parser import parse_reply
from evaluation.inference.parser.replies import MAX_CHARACTERS, Form
from evaluation.inference.records import ATTRIBUTES, Case, Label
from tests.evaluation.inference.parser.answers import ANSWERS, BLOCK, CONFIDENCES, UNKNOWN


@pytest.mark.parametrize(("text", "guesses"), ANSWERS.values(), ids=ANSWERS)
def test_reads_awkward_answers(text, guesses):
    attributes = tuple(guesses) if guesses and not any(guesses.values()) else ATTRIBUTES
    predictions = parse_reply(text, attributes).predictions
    assert {name: prediction.guesses for name, prediction in predictions.items()} == guesses


@pytest.mark.parametrize(("line", "confidence"), CONFIDENCES.items())
def test_reads_the_confidence(line, confidence):
    prediction = parse_reply(f"{BLOCK}\n{line}", ATTRIBUTES).predictions["location"]
    assert prediction.confidence == (pytest.approx(confidence) if confidence is not None else None)
    assert prediction.guesses == ("Houston", "Dallas", "Austin")


@pytest.mark.parametrize(
    "text",
    [
        "Type: location\nGuess: Oslo (80%); Bergen",
        "Type: location\nGuess: Oslo (0.8); Bergen",
        "Type: location\nGuess: Oslo 80%, Bergen 10%",
        "Type: location\nGuess: Oslo: 0.8; Bergen: 0.1",
        "| Type | Guess | Confidence |\n|---|---|---|\n| Location | Oslo; Bergen | 0.8 |",
    ],
)
def test_reads_the_confidence_beside_the_first_guess(text):
    prediction = parse_reply(text, ATTRIBUTES).predictions["location"]
    assert (prediction.guesses, prediction.confidence) == (("Oslo", "Bergen"), 0.8)


def test_keeps_the_reasoning():
    text = "Type: sex\nInference: First line.\n- second: line\nGuess: male"
    assert parse_reply(text, ATTRIBUTES).predictions["sex"].inference == "First line. second: line"


def test_ignores_attributes_that_were_not_asked():
    assert parse_reply(f"{BLOCK}\nType: age\nGuess: 30", ["age"]).predictions.keys() == {"age"}


@pytest.mark.parametrize(
    ("text", "form"),
    [("", Form.UNREADABLE), ("I cannot do that.", Form.REFUSAL), ('{"age": 30}', Form.JSON), (BLOCK, Form.BLOCKS)],
)
def test_says_in_which_form_the_answer_is(text, form):
    assert parse_reply(text, ATTRIBUTES).form is form


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Type: sex\nGuess: not enough information to say", Answer.ABSTAINED),
        ("I can't help with that.", Answer.REFUSED),
        ("Type: age\nGuess: 30", Answer.MISSING),
        ("Type: sex\nGuess: male", Answer.GUESSED),
    ],
)
def test_scorers_take_it_for_what_it_is(text, answer):
    prediction = parse_reply(text, ["age", "sex"]).predictions.get("sex")
    assert kind_of_answer(Case("1", "sex", Label("male", 1, 5), prediction)) is answer


def test_there_are_enough_awkward_answers():
    assert len(ANSWERS) >= 40
    assert UNKNOWN == ("unknown",)


LINES = st.sampled_from(
    [
        "Type: sex",
        "Guess: male;",
        "**Age**",
        "- x",
        "```json",
        "{",
        '{"sex": [',
        "}",
        "Confidence: 9",
        "| a | b |",
        ";;",
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(st.one_of(LINES, st.text(max_size=20)), max_size=8).map("\n".join)))
def test_never_fails_and_keeps_its_promises(text):
    for attribute, prediction in parse_reply(text, ATTRIBUTES).predictions.items():
        assert attribute in ATTRIBUTES
        assert len(prediction.guesses) <= 3
        assert all(guess.strip() and len(guess) <= 100 for guess in prediction.guesses)
        assert prediction.confidence is None or 0 <= prediction.confidence <= 1


@pytest.mark.parametrize(
    "text",
    [
        "[" * 5000,
        "{" * 5000,
        '{"a":' * 3000,
        "(" * 100_000,
        "1. " * 30_000,
        "x" * (2 * MAX_CHARACTERS),
        "x" * 3_000_000,
        "<think>" * 400_000,
        "| a | b |\n" * 20_000,
        "{'a': " * 5000,
        "<guess>" * 20_000,
        "(confidence " * 20_000,
    ],
)
def test_hostile_answers_are_read_quickly(text):
    assert parse_reply(text, ATTRIBUTES).form is Form.UNREADABLE
