"""Agreement metrics: published values, values computed by hand, and what must hold for any judgements."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats import marginals
from evaluation.stats.metric import MetricName
from tests.chance import at_most
from tests.evaluation.agreement.ratings import from_counts, score

_ = None
# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", part C, with values from 0 instead of 1.
RELIABILITY = [
    [0, 1, 2, 2, 1, 0, 3, 0, 1, _, _, _],
    [0, 1, 2, 2, 1, 1, 3, 0, 1, 4, _, 2],
    [_, 2, 2, 2, 1, 2, 3, 1, 1, 4, 0, _],
    [0, 1, 2, 2, 1, 3, 3, 0, 1, 4, 0, _],
]
# Three coders, fifteen units, most of them judged by two: the second example that is passed on with the first.
SPARSE = [
    [_, _, _, _, _, 2, 3, 0, 1, 0, 0, 2, 2, _, 2],
    [0, _, 1, 0, 2, 2, 3, 2, _, _, _, _, _, _, _],
    [_, _, 1, 0, 2, 3, 3, _, 1, 0, 0, 2, 2, _, 3],
]
STEPS = np.arange(5.0)
ALL = list(MetricName)


@pytest.mark.parametrize(
    ("measure", "published"),
    [(MetricName.ALPHA_NOMINAL, 0.743), (MetricName.ALPHA_ORDINAL, 0.815), (MetricName.ALPHA_INTERVAL, 0.849)],
)
def test_alpha_is_krippendorffs_own(measure, published):
    assert score(measure, RELIABILITY, 5, values=STEPS) == pytest.approx(published, abs=0.0005)


@pytest.mark.parametrize(
    ("measure", "published"), [(MetricName.ALPHA_NOMINAL, 0.691), (MetricName.ALPHA_INTERVAL, 0.811)]
)
def test_alpha_copes_with_much_that_is_missing(measure, published):
    assert score(measure, SPARSE, 5, values=STEPS) == pytest.approx(published, abs=0.0005)


@pytest.mark.parametrize(
    ("counts", "kappa"),
    [
        ([[20, 5], [10, 15]], 0.4),
        ([[45, 15], [25, 15]], 0.1304),  # the same agreement, other margins
        ([[25, 35], [5, 35]], 0.2593),
        ([[0, 10], [10, 0]], -1.0),
    ],
)
def test_kappa_of_two_people_is_cohens(counts, kappa):
    assert score(MetricName.KAPPA, from_counts(counts), 2) == pytest.approx(kappa, abs=0.00005)


def test_quadratic_kappa_of_two_people_is_cohens():
    """By hand: 1 - sum of w·found / sum of w·expected, with w = (c - k)²."""
    counts = np.array([[11, 3, 1], [1, 9, 0], [0, 1, 10]])
    apart = np.subtract.outer(range(3), range(3)) ** 2
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    by_hand = 1 - (apart * counts).sum() / (apart * expected).sum()
    assert by_hand == pytest.approx(1 - 9 / 48.7778, abs=0.0001)
    assert score(MetricName.KAPPA_QUADRATIC, from_counts(counts.tolist()), 3) == pytest.approx(by_hand)


def test_kappa_of_three_who_judged_everything_is_congers():
    """The mean over pairs of what was found and of what was expected, by hand."""
    table = [[0, 1, 1, 2, 0, 1], [0, 1, 2, 2, 0, 0], [0, 1, 1, 2, 1, 1]]
    pairs = list(itertools.combinations(table, 2))
    value = np.mean([np.mean(np.equal(*pair)) for pair in pairs])
    shares = [[np.bincount(row, minlength=3) / 6 for row in pair] for pair in pairs]
    chance = np.mean([left @ other for left, other in shares])
    assert score(MetricName.KAPPA, table, 3) == pytest.approx((value - chance) / (1 - chance))


def test_kappa_takes_each_persons_own_shares():
    """Two with opposite habits agree less by chance than two with the same habits."""
    apart, alike = from_counts([[10, 20], [0, 10]]), from_counts([[10, 10], [10, 10]])
    assert score(MetricName.PERCENT, apart, 2) == score(MetricName.PERCENT, alike, 2) == 0.5
    assert score(MetricName.KAPPA, apart, 2) > score(MetricName.KAPPA, alike, 2) == 0


def test_percent_counts_pairs_of_one_profile():
    assert score(MetricName.PERCENT, [[0, 0, 1, _], [0, 1, 1, 0], [0, _, 0, _]], 2) == pytest.approx(4 / 7)


def test_percent_takes_what_is_alike_for_agreement():
    alike = np.abs(np.subtract.outer(range(4), range(4))) <= 1
    assert score(MetricName.PERCENT, [[0, 0, 3], [1, 2, 3]], 4, equivalent=alike) == pytest.approx(2 / 3)


def test_an_interval_measure_refuses_codes_without_numbers():
    with pytest.raises(ValueError, match="numbers behind the codes"):
        score(MetricName.ALPHA_INTERVAL, RELIABILITY, 5)


# ── What must hold for any judgements ─────────────────────────────────────────
codes = st.one_of(st.none(), st.integers(0, 4))
tables = st.integers(2, 12).flatmap(
    lambda width: st.lists(st.lists(codes, min_size=width, max_size=width), min_size=2, max_size=5)
)


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_annotators_and_profiles_does_not_matter(table, random):
    people, profiles = random.sample(table, len(table)), random.sample(range(len(table[0])), len(table[0]))
    shuffled = [[row[profile] for profile in profiles] for row in people]
    for measure in ALL:
        score_of_table, other = (score(measure, rows, 5, values=STEPS) for rows in (table, shuffled))
        assert score_of_table == pytest.approx(other, nan_ok=True)


@given(tables, st.permutations(range(5)))
def test_names_of_codes_do_not_matter_to_nominal_measures(table, names):
    renamed = [[None if code is None else names[code] for code in row] for row in table]
    for measure in (MetricName.PERCENT, MetricName.KAPPA, MetricName.ALPHA_NOMINAL):
        assert score(measure, table, 5) == pytest.approx(score(measure, renamed, 5), nan_ok=True)


@given(tables)
def test_scores_stay_in_their_range_or_are_undefined(table):
    for measure in ALL:
        value = score(measure, table, 5, values=STEPS)
        assert np.isnan(value) or (0 if measure is MetricName.PERCENT else -25) <= value <= 1 + 1e-9


@at_most(40)
@given(st.lists(st.integers(0, 4), min_size=2, max_size=12), st.integers(2, 5))
def test_perfect_agreement_is_one_or_has_no_variation(row, people):
    for measure in ALL:
        value = score(measure, [row] * people, 5, values=STEPS)
        varies = len(set(row)) > 1 or measure is MetricName.PERCENT
        assert value == pytest.approx(1 if varies else np.nan, nan_ok=True)


@at_most(40)
@given(tables)
def test_many_codes_are_added_up_in_blocks_to_the_same(table):
    at_once = [score(measure, table, 5) for measure in (MetricName.KAPPA, MetricName.ALPHA_NOMINAL)]
    limits = marginals.MAX_COLUMNS, marginals.BLOCK_COLUMNS
    try:
        marginals.MAX_COLUMNS, marginals.BLOCK_COLUMNS = 0, 2
        in_blocks = [score(measure, table, 5) for measure in (MetricName.KAPPA, MetricName.ALPHA_NOMINAL)]
    finally:
        marginals.MAX_COLUMNS, marginals.BLOCK_COLUMNS = limits
    assert in_blocks == pytest.approx(at_once, nan_ok=True)
