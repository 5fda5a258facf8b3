"""Protection rates: by hand, as properties, and compared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.outcomes import Outcomes, build_outcomes
from evaluation.inference.protection import ProtectionRates, compare_protection, measure_protection
from evaluation.stats.bootstrap import Weights, draw_weights
from tests.evaluation.inference.cases import make_case

Credits = list[list[float]]  # by profile, of the first guess at each label


def outcomes_of(credits_: Credits) -> Outcomes:
    cases = [make_case(profile=f"p{index:02}") for index, labels in enumerate(credits_) for _ in labels]
    return build_outcomes(cases, [(credit,) for labels in credits_ for credit in labels])


def weights_for(outcomes: Outcomes) -> Weights:
    return draw_weights(outcomes.unit_count, 50, np.random.default_rng(1))


def rates_of(credits_: Credits) -> ProtectionRates:
    outcomes = outcomes_of(credits_)
    return measure_protection(outcomes.table(), weights_for(outcomes))


def test_by_hand():
    # Three of four labels of one person were inferred, one of them less precisely, and none of the other person's.
    rates = rates_of([[1, 1, 0.5, 0], [0]])
    assert (rates.collective.value, rates.individual.value) == (pytest.approx(0.5), pytest.approx((0.375 + 1) / 2))


def test_without_labels_there_is_no_rate():
    rates = rates_of([])
    assert (rates.collective.value, rates.individual.value) == (None, None)
    assert rates.collective.reason


def test_only_the_first_guess_counts():
    outcomes = build_outcomes([make_case()], [(0, 1)])
    assert measure_protection(outcomes.table(), weights_for(outcomes)).collective.value == 1


@given(st.lists(st.lists(st.sampled_from([0, 0.5, 1]), min_size=1, max_size=8), min_size=1, max_size=15))
def test_rates_are_shares_and_agree_where_everybody_has_as_many_labels(credits_):
    rates = rates_of(credits_)
    assert 0 <= rates.collective.value <= 1
    assert 0 <= rates.individual.value <= 1
    same_length = rates_of([labels[:1] for labels in credits_])
    assert same_length.collective.value == pytest.approx(same_length.individual.value)


def test_a_defence_is_compared_on_the_labels_that_both_have():
    cases = [make_case(profile=f"p{index:02}") for index in range(20)]
    defended = build_outcomes(cases, [(0,)] * 15 + [None] * 5)
    plain = build_outcomes(cases, [(1,)] * 20)
    change = compare_protection(defended, plain, weights_for(plain))
    assert (change.collective.value, change.individual.value) == (1, 1)
    assert change.individual.low == 1


def test_a_model_does_not_differ_from_itself():
    outcomes = outcomes_of([[1, 0.5], [0], *[[1]] * 10])
    change = compare_protection(outcomes, outcomes, weights_for(outcomes))
    assert (change.collective.value, change.individual.value) == (0, 0)
