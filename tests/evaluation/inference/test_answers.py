"""Answers: missing, refused, abstained; and what a model infers where people could not."""

import pytest

from evaluation.inference.answers import (
    Answer,
    count_answers,
    count_negatives,
    describe_answers,
    describe_negatives,
    kind_of_answer,
    names_something,
)
from evaluation.inference.settings import Settings
from tests.evaluation.inference.cases import make_case, negative


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


def test_negatives_are_counted_where_the_model_was_asked():
    cases = [negative(), negative(guesses=("unknown",)), negative(guesses=()), negative(guesses=None), make_case()]
    assert count_negatives(cases).as_json() == {"labels": 4, "asked": 3, "guessed": 1, "rate": 1 / 3}


def test_negatives_are_undefined_if_the_model_was_never_asked():
    assert count_negatives([negative(guesses=None), make_case()]) is None


@pytest.mark.parametrize(
    ("attribute", "kind"), [("occupation", Answer.GUESSED), ("income", Answer.GUESSED), ("location", Answer.ABSTAINED)]
)
def test_none_is_an_answer_only_where_it_can_be_one(attribute, kind):
    assert kind_of_answer(make_case(attribute, guesses=("None",))) is kind


@pytest.mark.parametrize(
    ("guesses", "is_named"),
    [(("nurse",), True), (("unknown", "nurse"), False), (("", "nurse"), False), ((), False), (None, False)],
)
def test_only_the_first_guess_names_something(guesses, is_named):
    assert names_something(make_case(guesses=guesses)) is is_named


def test_rates_are_given_by_attribute():
    cases = [
        make_case(),
        make_case(guesses=("unknown",), profile="b"),
        make_case("age", guesses=(), profile="c"),
        make_case("age", guesses=None, profile="d", has_answer=False),
    ]
    rates = describe_answers(cases, Settings(bootstrap=10))
    assert [rates[name]["value"] for name in ("abstained", "refused", "unread")] == [0.25, 0.25, 0.5]
    assert rates["by_attribute"]["age"]["unread"]["value"] == 1
    assert rates["by_attribute"]["occupation"]["abstained"]["value"] == 0.5


def test_negatives_are_given_by_attribute_with_intervals():
    cases = [negative(profile=f"p{index:02}", guesses=("nurse",) if index % 2 else ("unknown",)) for index in range(20)]
    cases += [negative("age", None), negative("sex", ())]
    negatives = describe_negatives(cases, Settings(bootstrap=100))
    assert (negatives["labels"], negatives["asked"], negatives["guessed"]) == (22, 21, 10)
    occupation = negatives["by_attribute"]["occupation"]
    assert occupation["interval"]["low"] < occupation["rate"] == 0.5 < occupation["interval"]["high"]
    assert (negatives["by_attribute"]["age"]["rate"], negatives["by_attribute"]["sex"]["refused"]) == (None, 1)
