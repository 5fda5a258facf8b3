"""Intervals, the counts behind a figure, all attributes together, and pairs of people."""

import numpy as np
import pytest

from evaluation.agreement.scores import Aspect, score_all
from evaluation.stats.bootstrap import CountStack, ObservedSample, Resamples, draw_weights
from evaluation.stats.intervals import interval
from evaluation.stats.metric import MetricName
from evaluation.stats.reasons import NO_VARIATION, too_few_profiles
from evaluation.stats.registry import PreparedRatings
from evaluation.stats.signature import MIN_PROFILES, Signature
from tests.evaluation.agreement.ratings import from_counts, panel_of

RESAMPLES = 200
SIGNATURE = Signature.of(
    scope="batch-1", counted="40@then", merged="0", min_profiles=MIN_PROFILES, bootstrap=RESAMPLES, seed=7, version=1
)
YES_NO = from_counts([[20, 5], [10, 15]])
NOMINAL = (MetricName.PERCENT, MetricName.KAPPA, MetricName.ALPHA_NOMINAL)


def results_for(*tables, size=2, seed=7):
    """Each table is one attribute of the same profiles."""
    laid_out = [panel_of(table, size) for table in tables]
    panel = laid_out[0][0]
    aspects = [
        Aspect(f"a{n}", "presence", dict.fromkeys(NOMINAL, ratings), "presence", has_confusion=True)
        for n, (_, ratings) in enumerate(laid_out)
    ]
    weights = draw_weights(panel.size, RESAMPLES, np.random.default_rng(seed))
    return score_all(panel, aspects, weights, SIGNATURE)


def test_a_figure_comes_with_interval_number_and_signature():
    score = results_for(YES_NO).scores["a0", "presence", MetricName.KAPPA]
    assert score.value == pytest.approx(0.4)
    assert score.low < 0.4 < score.high
    assert (score.profiles, score.pairs, score.reason) == (50, 50, "")
    assert score.signature == (
        "metric:kappa|aspect:presence|attribute:a0|scope:batch-1|counted:40@then|merged:0"
        "|min_profiles:10|bootstrap:200|seed:7|version:1"
    )


def test_the_interval_is_about_as_wide_as_theory_says():
    """Percent of 50 independent profiles at 0.7: 1.96 standard errors are 0.127."""
    score = results_for(YES_NO).scores["a0", "presence", MetricName.PERCENT]
    assert score.high - score.low == pytest.approx(2 * 0.127, rel=0.2)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    first, again, second = (
        results_for(YES_NO, seed=seed).scores["a0", "presence", MetricName.KAPPA] for seed in (7, 7, 8)
    )
    assert first == again
    assert (first.low, first.high) != (second.low, second.high)
    assert first.value == second.value


@pytest.mark.parametrize("measure", NOMINAL)
def test_a_resample_is_what_its_profiles_would_give_themselves(measure):
    """A profile that was drawn twice counts as two profiles: against profiles that are written out twice."""
    table = [[0, 1, 1, 0, 2], [0, 1, 2, 0, 2], [1, 1, 2, None, 2]]
    panel, ratings = panel_of(table, 3)
    metric = PreparedRatings(ratings, panel).metric(measure)
    observed = ObservedSample()
    metric.ratio(observed)
    weights = np.array([[2, 0, 1, 1, 1]], np.uint8)
    resampled = metric.ratio(Resamples(weights, CountStack(observed.summed.values(), 5))).values[0]
    written_out = [[row[at] for at in (0, 0, 2, 3, 4)] for row in table]
    other_panel, other_ratings = panel_of(written_out, 3)
    by_itself = PreparedRatings(other_ratings, other_panel).metric(measure).ratio(ObservedSample()).values[0]
    assert resampled == pytest.approx(by_itself)


def test_every_draw_has_as_many_profiles_as_there_are():
    weights = draw_weights(37, 300, np.random.default_rng(1))
    assert (weights.sum(axis=1) == 37).all()
    assert weights.max() > 1


@pytest.mark.parametrize("profiles", [9, 3])
def test_too_few_profiles_give_words_instead_of_a_number(profiles):
    score = results_for([[0, 1] * 5, [0, 1] * 5][:2]).scores["a0", "presence", MetricName.KAPPA]
    assert score.value == 1
    few = results_for([([0, 1] * 5)[:profiles]] * 2).scores["a0", "presence", MetricName.KAPPA]
    assert (few.value, few.low, few.high) == (None, None, None)
    assert few.reason == too_few_profiles(profiles)
    assert str(profiles) in few.reason


def test_profiles_of_one_person_do_not_count_towards_enough():
    result = results_for([[0, 1] * 6, [0, 1] * 4 + [None] * 4]).scores["a0", "presence", MetricName.KAPPA]
    assert (result.profiles, result.value) == (8, None)


def test_profiles_of_one_person_are_not_drawn_again():
    panel, _ = panel_of([[0, 1, 0], [0, None, 0]], 2)
    assert panel.profile_ids.tolist() == [0, 2]


def test_no_variation_is_said_instead_of_a_number():
    results = results_for([[1] * 12, [1] * 12])
    assert results.scores["a0", "presence", MetricName.ALPHA_NOMINAL].reason == NO_VARIATION
    assert results.scores["a0", "presence", MetricName.KAPPA].value is None
    assert results.scores["a0", "presence", MetricName.PERCENT].value == 1


def test_an_interval_needs_resamples_in_which_the_measure_is_defined():
    assert interval(np.array([0.5, np.nan, np.nan])) == (None, None)
    assert interval(np.array([])) == (None, None)
    assert interval(np.array([0.2, 0.4, np.nan])) == pytest.approx((0.205, 0.395))


def test_knowing_the_attribute_earns_nothing_in_all_together():
    """Everybody says yes to one and no to the other, and else guesses: chance is worked out within each."""
    yes, no = from_counts([[1, 4], [4, 16]]), from_counts([[16, 4], [4, 1]])
    results = results_for(yes, no)
    assert results.scores["overall", "presence", MetricName.KAPPA].value == pytest.approx(0)
    assert results.scores["overall", "presence", MetricName.PERCENT].value == pytest.approx(34 / 50)
    assert results.scores["overall", "presence", MetricName.PERCENT].pairs == 50
    assert results.scores["overall", "presence", MetricName.PERCENT].profiles == 25


def test_all_together_adds_up_what_was_got_and_what_was_possible():
    """By hand: of 25 pairs 17 are expected in both; in one 17 agree, in the other all 25. (0 + 8) / (8 + 8)."""
    results = results_for(from_counts([[1, 4], [4, 16]]), from_counts([[5, 0], [0, 20]]))
    assert results.scores["overall", "presence", MetricName.KAPPA].value == pytest.approx(0.5)
    assert results.scores["overall", "presence", MetricName.PERCENT].value == pytest.approx(42 / 50)


def test_confusions_stand_on_both_sides_of_the_diagonal():
    assert results_for(YES_NO).confusions["a0", "presence"].tolist() == [[20, 15], [15, 15]]


def test_pairs_of_people_have_their_own_kappa():
    left, other = YES_NO
    pairs = results_for([left, other, left]).pairs["presence"]
    assert [(pair.first, pair.second) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    assert [pair.kappa for pair in pairs] == pytest.approx([0.4, 1, 0.4])
    assert [pair.percent for pair in pairs] == pytest.approx([0.7, 1, 0.7])
    assert {pair.profiles for pair in pairs} == {50}


def test_pairs_who_met_seldom_get_words():
    pairs = results_for([[0, 1] * 6, [0, 1] * 6, [0, 1, 0] + [None] * 9]).pairs["presence"]
    assert [(pair.profiles, pair.kappa) for pair in pairs] == [(12, 1), (3, None), (3, None)]
    assert pairs[1].reason == too_few_profiles(3)
