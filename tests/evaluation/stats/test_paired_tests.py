"""McNemar's exact test, Holm's correction, kappa from counts, and dealing answers out anew."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats.paired_tests import holm, kappa_of_counts, mcnemar_exact
from evaluation.stats.permutation import deal_all, deal_pair


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (1, 0, 1.0), (0, 5, 2 / 32), (6, 16, 0.05248), (3, 9, 0.14599), (2000, 2100, 0.12208)],
)
def test_mcnemar(first, second, p):
    assert mcnemar_exact(first, second) == pytest.approx(p, abs=5e-5)
    assert mcnemar_exact(second, first) == mcnemar_exact(first, second)


def test_mcnemar_is_the_binomial_test():
    tail = sum(comb(30, count) for count in range(11)) / 2**30
    assert mcnemar_exact(10, 20) == pytest.approx(2 * tail)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, None, 0.02]) == [0.5, None, 0.04]
    assert holm([0.9, 0.9]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=6))
def test_holm_is_between_the_plain_value_and_bonferronis(values):
    for plain, corrected in zip(values, holm(values), strict=True):
        assert plain <= corrected <= min(1.0, plain * len(values)) + 1e-12


def test_kappa():
    assert kappa_of_counts(20, 15, 10, 5) == pytest.approx(0.4)
    assert kappa_of_counts(10, 10, 0, 0) == 1
    assert kappa_of_counts(0, 0, 0, 0) is None
    assert kappa_of_counts(10, 0, 0, 0) is None


def test_dealing_keeps_every_answer_and_every_place():
    rng = np.random.default_rng(1)
    sizes = rng.integers(0, 4, (30, 3))
    yes = rng.binomial(sizes, 0.5)
    for dealt in deal_all(yes, sizes, 150, rng):
        assert (dealt.sum(axis=2) == yes.sum(axis=1)).all()
        assert (dealt >= 0).all()
        assert (dealt <= sizes).all()


def test_dealing_among_two_is_every_arrangement_alike():
    """One item with 2 yes among 2 + 3 places: the first variant gets each pair of places equally often."""
    places = list(combinations(range(5), 2))
    expected = np.bincount([sum(place < 2 for place in pair) for pair in places], minlength=3) / len(places)
    dealt = deal_pair(np.array([[1, 1]]), np.array([[2, 3]]), 20_000, np.random.default_rng(2))
    assert np.bincount(dealt, minlength=3) / 20_000 == pytest.approx(expected, abs=0.015)


def test_both_ways_of_dealing_have_the_same_spread():
    rng = np.random.default_rng(3)
    sizes = np.full((200, 2), 2)
    yes = rng.binomial(sizes, 0.4)
    pairs = deal_pair(yes, sizes, 2000, rng)
    table = np.concatenate(list(deal_all(yes, sizes, 2000, rng)))[:, :, 0].sum(axis=1)
    assert pairs.mean() == pytest.approx(table.mean(), abs=0.5)
    assert pairs.std() == pytest.approx(table.std(), rel=0.08)
