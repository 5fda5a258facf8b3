"""Scores: by hand, from counts of both sides, with intervals that come from shared resamples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.labels import LabelMode
from evaluation.spans.matching import Method, match
from evaluation.spans.scores import UNDEFINED, Average, MetricStatistic, score
from evaluation.spans.tables import build_tables, find_overlaps
from evaluation.spans.tally import Tally, align_types, count
from evaluation.stats.bootstrap import draw_weights
from tests.evaluation.spans.cases import PLAIN, STUDY, documents, parse, rule

R1 = rule()


def tally(gold: list[str], predicted: list[str], *, units: np.ndarray | None = None, how=R1) -> Tally:
    first, second = build_tables([*map(parse, gold)], [*map(parse, predicted)])
    return count(match(first, second, find_overlaps(first, second), STUDY, how), first, second, units)


def weights(documents: int, rounds: int = 200) -> np.ndarray:
    return draw_weights(documents, rounds, np.random.default_rng(5))


def test_both_sides_are_counted():
    """One gold span and two predictions make one compound match; one prediction is wrong."""
    counts = tally(["PERSON 0-20"], ["PERSON 0-4, PERSON 5-9, PERSON 30-40"])
    micro = score(counts, weights(1)).micro
    assert micro.recall.value == 1
    assert micro.precision.value == pytest.approx(2 / 3)
    assert micro.f1.value == pytest.approx(0.8)
    assert micro.f2.value == pytest.approx(5 * 2 / 3 / (4 * 2 / 3 + 1))


def test_gold_and_predictions_count_under_their_own_label():
    counts = tally(["LOC 0-5"], ["ORG 0-5"], how=rule(labels=LabelMode.RELAXED))
    assert counts.types == ("LOC", "ORG")
    assert [part.tolist() for part in counts.parts] == [[[1, 0]], [[1, 0]], [[0, 1]], [[0, 1]]]


def test_ignored_spans_are_not_counted():
    counts = tally(["ORG 0-5, PERSON 10-15"], ["LOC 0-5"])
    assert (counts.types, counts.gold.tolist(), counts.predicted.tolist()) == (("PERSON",), [[1]], [[0]])


def test_macro_is_the_mean_over_types_with_gold_spans():
    counts = tally(["PERSON 0-5, LOC 10-15, LOC 20-25"], ["PERSON 0-5, LOC 10-15, URL 40-50"])
    scores = score(counts, weights(1))
    assert [(row.type, row.scores.f1.value) for row in scores.by_type] == [
        ("LOC", pytest.approx(2 / 3)), ("PERSON", 1.0), ("URL", 0.0)
    ]  # fmt: skip
    assert scores.macro.f1.value == pytest.approx(5 / 6)
    assert scores.macro.recall.value == pytest.approx(0.75)


def test_a_type_that_is_never_detected_counts_as_0_in_the_macro_average():
    scores = score(tally(["PERSON 0-5, LOC 10-15"], ["PERSON 0-5"]), weights(1))
    assert scores.macro.f1.value == 0.5
    assert scores.by_type[0].scores.precision.value is None
    assert scores.by_type[0].scores.precision.reason == UNDEFINED["precision"]


def test_nothing_to_count_is_undefined():
    scores = score(tally(["ORG 0-5", ""], ["", ""]), weights(2))
    assert scores.by_type == ()
    for estimate in (scores.micro.precision, scores.micro.recall, scores.micro.f1, scores.macro.f2):
        assert estimate.value is None
        assert estimate.reason


def test_intervals_contain_the_value_and_need_ten_documents():
    gold = ["PERSON 0-5, LOC 10-15"] * 12
    predicted = ["PERSON 0-5", "LOC 10-15", "PERSON 0-5, LOC 30-35"] * 4
    f1 = score(tally(gold, predicted), weights(12)).micro.f1
    assert f1.low < f1.value < f1.high
    assert f1.bca_low < f1.value < f1.bca_high
    few = score(tally(gold[:9], predicted[:9]), weights(9)).micro.f1
    assert (few.value is not None, few.low, few.bca_high) == (True, None, None)
    assert few.reason.startswith("Too few")


def test_a_rare_type_has_no_interval():
    gold = ["PERSON 0-5, LOC 10-15"] * 9 + ["PERSON 0-5"] * 3
    location, person = score(tally(gold, gold), weights(12)).by_type
    assert location.scores.recall.low is None
    assert person.scores.recall.low == 1


def test_without_resamples_there_is_no_interval():
    gold = ["PERSON 0-5"] * 12
    f1 = score(tally(gold, gold), weights(12, 0)).micro.f1
    assert (f1.value, f1.low) == (1, None)
    assert f1.reason.startswith("No interval")


def test_units_are_resampled_together():
    """Two annotators of one document are one row."""
    counts = tally(["LOC 0-6", "LOC 0-6", "LOC 3-9"], ["LOC 0-6"] * 3, units=np.array([0, 0, 1]))
    assert counts.gold.tolist() == [[2], [1]]
    assert counts.matched.tolist() == [[2], [1]]


def test_tallies_of_annotators_add_up():
    both = tally(["LOC 0-6"], ["LOC 0-6"]) + tally(["PERSON 0-6"], ["LOC 0-6"])
    assert both.types == ("LOC", "PERSON")
    assert [part.tolist() for part in both.parts] == [[[1, 1]], [[1, 0]], [[2, 0]], [[1, 0]]]


@given(documents(count=3), documents(count=3), st.sampled_from([Method.R1, Method.IOU]))
def test_micro_is_the_sum_over_types_and_resamples_are_sums_of_documents(gold, predicted, method):
    first, second = build_tables(gold, predicted)
    counts = count(match(first, second, find_overlaps(first, second), PLAIN, rule(method)), first, second)
    drawn = weights(3, 5)
    assert (counts.matched <= counts.gold).all()
    assert (counts.used <= counts.predicted).all()
    repeated = [np.repeat(counts.table, row.astype(int), axis=0).sum(axis=0) for row in drawn]
    by_hand = MetricStatistic("f1", Average.MICRO)(np.array(repeated, np.float64))
    by_product = MetricStatistic("f1", Average.MICRO)((drawn @ counts.table.astype(np.float32)).astype(np.float64))
    assert np.allclose(by_hand, by_product, equal_nan=True)


def test_types_of_two_systems_are_aligned_by_name():
    first, second = align_types(tally(["LOC 0-5"], ["URL 0-5"]), tally(["LOC 0-5"], ["AGE 9-12"]))
    assert first.types == second.types == ("AGE", "LOC", "URL")
    assert first.predicted.tolist() == [[0, 0, 1]]
    assert second.predicted.tolist() == [[1, 0, 0]]


def test_scores_as_a_report_has_them():
    contents = score(tally(["PERSON 0-5"] * 10, ["PERSON 0-5"] * 10), weights(10)).as_json()
    (row,) = contents["by_type"]
    assert {key: row[key] for key in ("type", "gold", "matched", "predicted", "used")} == {
        "type": "PERSON", "gold": 10, "matched": 10, "predicted": 10, "used": 10
    }  # fmt: skip
    assert contents["micro"]["f1"] == {
        "value": 1.0, "low": 1.0, "high": 1.0, "bca_low": 1.0, "bca_high": 1.0, "reason": ""
    }  # fmt: skip
