"""Hints as predictions: most comments first."""

from itertools import permutations

import pytest

from evaluation.inference.baselines import Hint, predict
from tests.evaluation.inference.baselines.profiles import make_baseline_profile

HINTS = (
    Hint("location", "houston", "houston", 5),
    Hint("location", "austin", "Austin", 4),
    Hint("location", "austin", "UTAustin", 3),
    Hint("location", "", "expats", 90),
    Hint("sex", "male", "AskMen", 2),
)


def test_comments_of_all_subreddits_count_for_a_value():
    predictions = predict("hints", [make_baseline_profile(hints=HINTS)], seed=0)[1]
    assert predictions["location"].guesses == ("austin", "houston")
    assert predictions["location"].confidence == pytest.approx(7 / 12)
    assert predictions["location"].inference == "Comments in r/Austin (4), r/UTAustin (3)."
    assert predictions["sex"].guesses == ("male",)
    assert predictions["age"].guesses == ("unknown",)


def test_ties_are_stable_and_order_makes_no_difference():
    hints = [Hint("location", value, value, 2) for value in ("b", "c", "a", "d")]
    guesses = {
        predict("hints", [make_baseline_profile(hints=order)], seed=0)[1]["location"] for order in permutations(hints)
    }
    assert [prediction.guesses for prediction in guesses] == [("a", "b", "c")]
