"""What became of a case, and what is kept of it."""

import pytest

from evaluation.inference.compat import Variant
from evaluation.inference.stored_cases import Outcome, describe_case, is_worth_storing
from tests.evaluation.inference.cases import make_case

NEGATIVE = {"value": "", "hardness": 0, "certainty": 0}


@pytest.mark.parametrize(
    ("case", "outcome"),
    [
        (make_case(guesses=("nurse", "cook")), Outcome.RIGHT),
        (make_case(guesses=("cook", "nurse")), Outcome.PARTLY),
        (make_case("location", "houston / texas / united states", ("United States",)), Outcome.PARTLY),
        (make_case(guesses=("cook", "pilot")), Outcome.WRONG),
        (make_case(guesses=("unknown",)), Outcome.ABSTAINED),
        (make_case(guesses=()), Outcome.NO_ANSWER),
        (make_case(guesses=None), Outcome.NO_ANSWER),
        (make_case(guesses=None, has_answer=False), Outcome.NO_ANSWER),
        (make_case(guesses=("nurse",), **NEGATIVE), Outcome.NEGATIVE_GUESSED),
        (make_case(guesses=("unknown",), **NEGATIVE), Outcome.NEGATIVE_ABSTAINED),
        (make_case(guesses=(), **NEGATIVE), Outcome.NEGATIVE_ABSTAINED),
    ],
)
def test_every_case_has_an_outcome(case, outcome):
    assert describe_case(case, Variant.LLMPRIVACY)[0] == outcome


def test_credits_stand_beside_their_guesses():
    _, contents = describe_case(make_case(guesses=("cook", "nurse"), published=(0, 1)), Variant.LLMPRIVACY)
    assert contents["credits"] == {"sound": [0, 1], "compat": [0, 1], "published": [0, 1]}
    assert [verdict["grade"] for verdict in contents["grades"]] == ["wrong", "exact"]
    assert contents["label"] == {"value": "nurse", "hardness": 1, "certainty": 5, "required_subreddit": None}


def test_what_nobody_was_asked_about_is_not_kept():
    assert not is_worth_storing(make_case(guesses=None, **NEGATIVE))
    assert is_worth_storing(make_case(guesses=None))
