"""The sweep over thresholds."""

from hypothesis import given

from evaluation.spans.labels import LabelMode
from evaluation.spans.matching import match
from evaluation.spans.scores import point_scores
from evaluation.spans.sweep import THRESHOLDS, sweep
from evaluation.spans.tables import build_tables, find_overlaps
from tests.evaluation.spans.cases import STUDY, documents, rule, tables


def test_every_tenth_from_0_1_to_1():
    assert list(THRESHOLDS) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


def test_scores_fall_where_the_overlap_ends():
    gold, predicted = tables("PERSON 0-10", "PERSON 0-6")
    points = sweep(gold, predicted, find_overlaps(gold, predicted), STUDY)
    assert [point.scores[LabelMode.STRICT].f1 for point in points] == [1.0] * 6 + [0.0] * 4
    assert points[0].as_json()["any"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


@given(documents(), documents())
def test_a_point_is_a_match_at_its_threshold(gold, predicted):
    first, second = build_tables(gold, predicted)
    overlaps = find_overlaps(first, second)
    for point in sweep(first, second, overlaps, STUDY, thresholds=(0.2, 0.5)):
        for mode in LabelMode:
            how = rule(labels=mode, threshold=point.threshold)
            assert point.scores[mode] == point_scores(match(first, second, overlaps, STUDY, how))
