"""Intervals and paired tests from counts per unit: against values worked out otherwise, and their properties."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats.bca import acceleration, bca_interval
from evaluation.stats.bootstrap import draw_weights
from evaluation.stats.differences import (
    draw_swaps,
    holm,
    p_paired_bootstrap,
    p_randomisation,
    p_value,
    paired_difference,
)
from evaluation.stats.estimates import RARELY_DEFINED, Sums

# Efron and Tibshirani (1993), table 14.1: two tests of spatial perception of 26 children. The variance of the first.
TEST_A = np.array(
    [48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41.0]
)


def moments(values: np.ndarray) -> np.ndarray:
    return np.stack([np.ones(len(values)), values, values**2], axis=1)


def variance(sums: np.ndarray) -> np.ndarray:
    size, total, squares = sums.T
    return squares / size - (total / size) ** 2


def mean(sums: np.ndarray) -> np.ndarray:
    return np.where(sums[:, 0] > 0, sums[:, 1] / np.maximum(sums[:, 0], 1), np.nan)


def sums_of(table: np.ndarray, rounds: int = 2000) -> Sums:
    return Sums.of(table, draw_weights(len(table), rounds, np.random.default_rng(1)))


def test_bca_is_efrons_and_tibshiranis():
    """Their interval at 90 % is (115.8, 259.6) with acceleration 0.061; percentiles gave (100.8, 233.9)."""
    values = sums_of(moments(TEST_A), 20_000).apply(variance)
    assert values.observed == pytest.approx(171.5, abs=0.05)
    assert acceleration(values.left_out) == pytest.approx(0.061, abs=0.001)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evaluation.stats.bca.PERCENTILES", (5, 95))
        low, high = bca_interval(values.observed, values.resampled, values.left_out)
    assert low == pytest.approx(115.8, abs=3)
    assert high == pytest.approx(259.6, abs=4)


def test_without_bias_and_skewness_bca_is_the_percentile_interval():
    resampled = np.arange(-500.0, 501.0)
    low, high = bca_interval(0.0, resampled, np.array([-1.0, 0.0, 1.0]))
    assert (low, high) == (pytest.approx(-475), pytest.approx(475))


def test_a_value_beyond_all_resamples_has_no_bca_interval():
    assert bca_interval(5.0, np.arange(4.0), np.arange(4.0)) == (None, None)


def test_equal_values_give_an_interval_without_width():
    assert bca_interval(1.0, np.ones(50), np.ones(5)) == (1.0, 1.0)


def test_a_value_that_resamples_rarely_have_gets_no_interval():
    table = np.zeros((30, 2))
    table[0] = 1
    table[1:15, 1] = 0
    values = sums_of(table).apply(lambda sums: np.where(sums[:, 0] == 1, 1.0, np.nan))
    estimate = values.estimate(30, "undefined")
    assert (estimate.value, estimate.low, estimate.bca_low, estimate.reason) == (1.0, None, None, RARELY_DEFINED)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=8))
def test_left_out_sums_are_those_without_each_unit(rows):
    table = np.array(rows, np.int64)
    sums = sums_of(table, 3)
    for index in range(len(table)):
        assert sums.left_out[index].tolist() == np.delete(table, index, axis=0).sum(axis=0).tolist()


def test_randomisation_agrees_with_trying_all_swaps():
    first = moments(np.array([5.0, 7, 6, 9, 8, 6]))
    second = moments(np.array([4.0, 5, 7, 6, 5, 6]))
    swaps = np.array(list(itertools.product([0, 1], repeat=6)), np.float32)
    exact = p_randomisation(first, second, mean, swaps)
    differences = first[:, 1] - second[:, 1]
    signs = np.array(list(itertools.product([1, -1], repeat=6)))
    extreme = (np.abs(signs @ differences) >= abs(differences.sum())).sum()
    assert exact == pytest.approx((extreme + 1) / 65)
    drawn = p_randomisation(first, second, mean, draw_swaps(6, 20_000, np.random.default_rng(2)))
    assert drawn == pytest.approx(extreme / 64, abs=0.02)


def test_paired_tests_hold_their_level():
    """Two systems of the same quality differ at 5 % in about 5 % of all studies."""
    rng = np.random.default_rng(6)
    swaps, weights = draw_swaps(40, 400, rng), draw_weights(40, 400, rng)
    values = []
    for _ in range(150):
        first, second = (moments(rng.normal(size=40)) for _ in range(2))
        difference = paired_difference(Sums.of(first, weights), Sums.of(second, weights), mean)
        values.append((p_randomisation(first, second, mean, swaps), p_paired_bootstrap(difference)))
    rejected = (np.array(values) < 0.05).mean(axis=0)
    assert (rejected < 0.12).all()


@given(st.floats(-1, 1), st.lists(st.floats(-1, 1), min_size=1))
def test_p_values_are_never_0_and_at_most_1(observed, sample):
    assert 0 < p_value(observed, np.array(sample)) <= 1


def test_nothing_defined_gives_no_p_value():
    assert p_value(float("nan"), np.zeros(3)) is None
    assert p_value(0.5, np.array([np.nan])) is None


@pytest.mark.parametrize(
    ("p_values", "corrected"),
    [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.01, None, 0.02], [0.02, None, 0.02]),
        ([0.04], [0.04]),
        ([None], [None]),
        ([], []),
    ],
)
def test_holms_correction(p_values, corrected):
    assert holm(p_values) == [None if value is None else pytest.approx(value) for value in corrected]
