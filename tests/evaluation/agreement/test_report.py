"""Intervals, the number behind a figure, all attributes together, and pairs of people."""

import numpy as np
import pytest

from evaluation.agreement.report import Line, measure_all
from evaluation.stats.bootstrap import AsFound, Resamples, Stack, draw
from evaluation.stats.intervals import LEAST_PROFILES, interval
from evaluation.stats.measures import Measure
from evaluation.stats.signature import Signature
from evaluation.stats.statistics import Asked
from tests.evaluation.agreement.questions import from_counts, panel_of

SIGNATURE = Signature("batch-1", "40@then", "0", LEAST_PROFILES, 200, 7)
YES_NO = from_counts([[20, 5], [10, 15]])
NOMINAL = (Measure.PERCENT, Measure.KAPPA, Measure.ALPHA_NOMINAL)


def found_for(*tables, size=2, seed=7):
    """Each table is one attribute of the same profiles."""
    asked = [panel_of(table, size) for table in tables]
    panel = asked[0][0]
    lines = [
        Line(f"a{n}", "presence", dict.fromkeys(NOMINAL, question), "presence", is_shown=True)
        for n, (_, question) in enumerate(asked)
    ]
    weights = draw(panel.size, SIGNATURE.resamples, np.random.default_rng(seed))
    return measure_all(panel, lines, weights, SIGNATURE)


def test_a_figure_comes_with_interval_number_and_signature():
    figure = found_for(YES_NO).figures["a0", "presence", Measure.KAPPA]
    assert figure.value == pytest.approx(0.4)
    assert figure.low < 0.4 < figure.high
    assert (figure.profiles, figure.pairs, figure.reason) == (50, 50, "")
    assert figure.signature == (
        "metric:kappa|aspect:presence|attribute:a0|scope:batch-1|counted:40@then|merged:0"
        "|min_profiles:10|bootstrap:200|seed:7|version:1"
    )


def test_the_interval_is_about_as_wide_as_theory_says():
    """Percent of 50 independent profiles at 0.7: 1.96 standard errors are 0.127."""
    figure = found_for(YES_NO).figures["a0", "presence", Measure.PERCENT]
    assert figure.high - figure.low == pytest.approx(2 * 0.127, rel=0.2)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    one, again, other = (found_for(YES_NO, seed=seed).figures["a0", "presence", Measure.KAPPA] for seed in (7, 7, 8))
    assert one == again
    assert (one.low, one.high) != (other.low, other.high)
    assert one.value == other.value


@pytest.mark.parametrize("measure", NOMINAL)
def test_a_resample_is_what_its_profiles_would_give_themselves(measure):
    """A profile that was drawn twice counts as two profiles: against profiles that are written out twice."""
    table = [[0, 1, 1, 0, 2], [0, 1, 2, 0, 2], [1, 1, 2, None, 2]]
    panel, question = panel_of(table, 3)
    statistic = Asked(question, panel).statistic(measure)
    found = AsFound()
    statistic.parts(found)
    weights = np.array([[2, 0, 1, 1, 1]], np.uint8)
    resampled = statistic.parts(Resamples(weights, Stack(found.asked.values(), 5))).scores[0]
    written_out = [[row[at] for at in (0, 0, 2, 3, 4)] for row in table]
    other_panel, other_question = panel_of(written_out, 3)
    by_itself = Asked(other_question, other_panel).statistic(measure).parts(AsFound()).scores[0]
    assert resampled == pytest.approx(by_itself)


def test_every_draw_has_as_many_profiles_as_there_are():
    weights = draw(37, 300, np.random.default_rng(1))
    assert (weights.sum(axis=1) == 37).all()
    assert weights.max() > 1


@pytest.mark.parametrize(("profiles", "told"), [(9, "only 9"), (3, "only 3")])
def test_too_few_profiles_give_words_instead_of_a_number(profiles, told):
    figure = found_for([[0, 1] * 5, [0, 1] * 5][:2]).figures["a0", "presence", Measure.KAPPA]
    assert figure.value == 1
    few = found_for([([0, 1] * 5)[:profiles]] * 2).figures["a0", "presence", Measure.KAPPA]
    assert (few.value, few.low, few.high) == (None, None, None)
    assert few.reason == f"Too few: {told} of the 10 profiles that are needed, judged by two or more people."


def test_profiles_of_one_person_do_not_count_towards_enough():
    one = found_for([[0, 1] * 6, [0, 1] * 4 + [None] * 4]).figures["a0", "presence", Measure.KAPPA]
    assert (one.profiles, one.value) == (8, None)


def test_profiles_of_one_person_are_not_drawn_again():
    panel, _ = panel_of([[0, 1, 0], [0, None, 0]], 2)
    assert panel.profiles.tolist() == [0, 2]


def test_no_variation_is_said_instead_of_a_number():
    found = found_for([[1] * 12, [1] * 12])
    assert found.figures["a0", "presence", Measure.ALPHA_NOMINAL].reason.startswith("No variation")
    assert found.figures["a0", "presence", Measure.KAPPA].value is None
    assert found.figures["a0", "presence", Measure.PERCENT].value == 1


def test_an_interval_needs_resamples_in_which_the_measure_is_defined():
    assert interval(np.array([0.5, np.nan, np.nan])) == (None, None)
    assert interval(np.array([])) == (None, None)
    assert interval(np.array([0.2, 0.4, np.nan])) == pytest.approx((0.205, 0.395))


def test_knowing_the_attribute_earns_nothing_in_all_together():
    """Everybody says yes to one and no to the other, and else guesses: chance is worked out within each."""
    yes, no = from_counts([[1, 4], [4, 16]]), from_counts([[16, 4], [4, 1]])
    found = found_for(yes, no)
    assert found.figures["overall", "presence", Measure.KAPPA].value == pytest.approx(0)
    assert found.figures["overall", "presence", Measure.PERCENT].value == pytest.approx(34 / 50)
    assert found.figures["overall", "presence", Measure.PERCENT].pairs == 50
    assert found.figures["overall", "presence", Measure.PERCENT].profiles == 25


def test_all_together_adds_up_what_was_got_and_what_was_possible():
    """By hand: of 25 pairs 17 are expected in both; in one 17 agree, in the other all 25. (0 + 8) / (8 + 8)."""
    found = found_for(from_counts([[1, 4], [4, 16]]), from_counts([[5, 0], [0, 20]]))
    assert found.figures["overall", "presence", Measure.KAPPA].value == pytest.approx(0.5)
    assert found.figures["overall", "presence", Measure.PERCENT].value == pytest.approx(42 / 50)


def test_confusions_stand_on_both_sides_of_the_diagonal():
    assert found_for(YES_NO).confusions["a0", "presence"].tolist() == [[20, 15], [15, 15]]


def test_pairs_of_people_have_their_own_kappa():
    one, other = YES_NO
    pairs = found_for([one, other, one]).pairs["presence"]
    assert [(pair.one, pair.other) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    assert [pair.kappa for pair in pairs] == pytest.approx([0.4, 1, 0.4])
    assert [pair.percent for pair in pairs] == pytest.approx([0.7, 1, 0.7])
    assert {pair.profiles for pair in pairs} == {50}


def test_pairs_who_met_seldom_get_words():
    pairs = found_for([[0, 1] * 6, [0, 1] * 6, [0, 1, 0] + [None] * 9]).pairs["presence"]
    assert [(pair.profiles, pair.kappa) for pair in pairs] == [(12, 1), (3, None), (3, None)]
    assert pairs[1].reason.startswith("Too few: only 3")
