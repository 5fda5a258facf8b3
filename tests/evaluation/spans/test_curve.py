"""Precision and recall over the detector's confidence."""

import pytest

from evaluation.spans.curve import EQUAL_SCORES, MAX_POINTS, NO_PREDICTIONS, NO_SCORES, Curve, draw_curve
from evaluation.spans.tables import build_tables, find_overlaps
from tests.evaluation.spans.cases import STUDY, Spans, parse, rule, span

GOLD = parse("PERSON 0-5, PERSON 10-15, PERSON 20-25, PERSON 30-35")


def draw(predicted: Spans) -> tuple[Curve | None, str]:
    gold, table = build_tables([GOLD], [predicted])
    return draw_curve(gold, table, find_overlaps(gold, table), STUDY, rule())


def test_points_rise_from_the_operating_point():
    curve, reason = draw([span("PERSON", 0, 5, 0.9), span("PERSON", 10, 15, 0.6), span("PERSON", 50, 55, 0.6)])
    assert reason == ""
    assert curve.as_json() == {
        "points": [
            {"score": 0.6, "precision": pytest.approx(2 / 3), "recall": 0.5},
            {"score": 0.9, "precision": 1.0, "recall": 0.25},
        ],
        "operating_point": {"score": 0.6, "precision": pytest.approx(2 / 3), "recall": 0.5},
    }


@pytest.mark.parametrize(
    ("predicted", "reason"),
    [
        ([], NO_PREDICTIONS),
        ([span("PERSON", 0, 5, 0.9), span("PERSON", 10, 15)], NO_SCORES),
        ([span("PERSON", 0, 5, 0.9), span("PERSON", 10, 15, 0.9)], EQUAL_SCORES),
    ],
)
def test_says_why_there_is_no_curve(predicted, reason):
    assert draw(predicted) == (None, reason)


def test_many_scores_are_thinned_out_but_keep_both_ends():
    predicted = [span("PERSON", 100 + 10 * index, 105 + 10 * index, index / 1000) for index in range(1000)]
    curve, _ = draw(predicted)
    assert len(curve.points) == MAX_POINTS
    assert (curve.points[0].score, curve.points[-1].score) == (0.0, 0.999)
