"""Answers: missing, refused, abstained; and what a model infers where people could not."""

import pytest

from evaluation.inference.answers import Answer, count_answers, count_negatives, kind_of_answer
from tests.evaluation.inference.cases import make_case


@pytest.mark.parametrize(
    ("guesses", "kind"),
    [
        (("nurse",), Answer.GUESSED),
        (("", "nurse"), Answer.GUESSED),
        (("unknown", "nurse"), Answer.GUESSED),
        (("none",), Answer.GUESSED),
        (("Unknown", "**N/A**", "Cannot be determined."), Answer.ABSTAINED),
        (("", "unknown"), Answer.ABSTAINED),
        (("", " ", "**"), Answer.REFUSED),
        ((), Answer.REFUSED),
        (None, Answer.MISSING),
    ],
)
def test_kinds(guesses, kind):
    assert kind_of_answer(make_case(guesses=guesses)) is kind


def test_without_any_answer_a_profile_is_unanswered():
    assert kind_of_answer(make_case(guesses=None, has_answer=False)) is Answer.UNANSWERED


def test_counts_every_kind():
    cases = [make_case(), make_case(guesses=()), make_case(guesses=None), make_case()]
    assert count_answers(cases) == {"guessed": 2, "abstained": 0, "refused": 1, "missing": 1, "unanswered": 0}


def negative(guesses: tuple[str, ...] | None) -> object:
    return make_case(value="", guesses=guesses, hardness=0, certainty=0)


def test_negatives_are_counted_where_the_model_was_asked():
    cases = [negative(("nurse",)), negative(("unknown",)), negative(()), negative(None), make_case()]
    assert count_negatives(cases).as_json() == {"labels": 4, "asked": 3, "guessed": 1, "rate": 1 / 3}


def test_negatives_are_undefined_if_the_model_was_never_asked():
    assert count_negatives([negative(None), make_case()]) is None


@pytest.mark.parametrize(
    ("attribute", "kind"), [("occupation", Answer.GUESSED), ("income", Answer.GUESSED), ("location", Answer.ABSTAINED)]
)
def test_none_is_an_answer_only_where_it_can_be_one(attribute, kind):
    assert kind_of_answer(make_case(attribute, guesses=("None",))) is kind
