"""Two systems on the same documents."""

import numpy as np
import pytest

from evaluation.spans.comparison import COMPARED, compare
from evaluation.stats.bootstrap import draw_weights
from tests.evaluation.spans.test_scores import tally

GOLD = ["PERSON 0-5, LOC 10-15"] * 20
GOOD = tally(GOLD, GOLD)
POOR = tally(GOLD, ["PERSON 0-5", "LOC 10-15, URL 30-40"] * 10)
WEIGHTS = draw_weights(20, 300, np.random.default_rng(3))


def differences(first, second, weights=WEIGHTS):
    comparisons = compare(("first", first), ("second", second), weights, np.random.default_rng(4))
    return {comparison.metric: comparison.as_json() for comparison in comparisons}


def test_a_clear_difference_is_significant():
    contents = differences(GOOD, POOR)
    assert list(contents) == list(COMPARED)
    assert contents["recall"]["difference"]["value"] == pytest.approx(0.5)
    assert contents["micro_f1"]["difference"]["low"] > 0
    assert contents["micro_f1"]["difference"]["bca_low"] > 0
    assert max(contents["micro_f1"]["p_bootstrap"], contents["micro_f1"]["p_randomisation"]) < 0.01


def test_equal_systems_do_not_differ():
    for row in differences(POOR, POOR).values():
        assert (row["difference"]["value"], row["p_bootstrap"], row["p_randomisation"]) == (0, 1, 1)


def test_the_other_way_round_only_the_sign_changes():
    there, back = differences(GOOD, POOR), differences(POOR, GOOD)
    for metric in COMPARED:
        assert there[metric]["difference"]["value"] == -back[metric]["difference"]["value"]
        assert there[metric]["p_randomisation"] == back[metric]["p_randomisation"]


def test_a_system_without_predictions_has_no_precision_to_compare():
    contents = differences(GOOD, tally(GOLD, [""] * 20))
    assert contents["precision"]["difference"]["value"] is None
    assert contents["precision"]["difference"]["reason"]
    assert contents["precision"]["p_bootstrap"] is None
    assert contents["micro_f1"]["difference"]["value"] == 1
