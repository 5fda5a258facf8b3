"""What a report warns of."""

import pytest

from evaluation.inference.cautions import comparison_cautions
from evaluation.inference.records import Case, Problem
from tests.evaluation.inference.cases import make_case, negative
from tests.evaluation.inference.test_report import report_on


def keys(*cases: Case, **more: object) -> set[str]:
    return {caution["key"] for caution in report_on(*cases, **more)["warnings"]}


def many(count: int, **more: object) -> list[Case]:
    return [make_case(profile=f"p{place:03}", **more) for place in range(count)]


def test_few_profiles_and_few_labels():
    assert "few-profiles" in keys(make_case())
    assert "few-labels" in keys(*many(20))
    assert not {"few-profiles", "few-labels"} & keys(*many(100))


@pytest.mark.parametrize(
    ("guesses", "has_answer", "key"),
    [((), True, "refusals"), (None, True, "unread-answers"), (None, False, "unread-answers")],
)
def test_many_without_an_answer(guesses, has_answer, key):
    few = make_case(guesses=guesses, has_answer=has_answer, profile="x")
    assert key not in keys(*many(20), few)
    assert key in keys(few, *many(5))


def test_confidence_that_only_some_state():
    assert "partial-confidence" in keys(make_case(confidence=0.5), make_case(profile="b"))
    assert "partial-confidence" not in keys(make_case(confidence=0.5))
    assert "partial-confidence" not in keys(make_case())


def test_negatives_that_were_never_asked():
    assert "no-negatives" in keys(make_case())
    assert "no-negatives" not in keys(make_case(), negative())


def test_what_was_set_aside_and_what_published_leaves_out():
    assert "set-aside" in keys(make_case(), problems=(Problem("Bad.", 2, (1, 4)),))
    assert "unscored" in keys(make_case(published=(1,)), make_case(profile="b"))
    assert "unscored" not in keys(make_case())


def test_the_words_of_our_scorer_are_always_mentioned():
    assert "words-tuned-on-synthpai" in keys(*many(100))


def test_too_few_rounds_for_so_many_tests():
    assert [row["key"] for row in comparison_cautions([{"tests": 60}], 1000)] == ["few-rounds"]
    assert comparison_cautions([{"tests": 6}], 1000) == comparison_cautions([], 1000) == []
