"""Precision and recall of the detector at higher and higher confidence."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.spans.labels import LabelScheme
from evaluation.spans.matching import MatchRule, match
from evaluation.spans.scores import PointScores, point_scores
from evaluation.spans.tables import Overlaps, SpanTable, select_predictions
from evaluation.stats.panel import Floats

MAX_POINTS = 50
# The words before the colon are the short form, for table cells.
NO_PREDICTIONS = "No predictions: there is nothing to draw."
NO_SCORES = "No scores: the file has predictions without a confidence."
EQUAL_SCORES = "Equal scores: all predictions have the same confidence."


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Scores of the predictions with at least this confidence."""

    score: float
    scores: PointScores

    def as_json(self) -> dict[str, Any]:
        return {"score": self.score, "precision": self.scores.precision, "recall": self.scores.recall}


@dataclass(frozen=True, slots=True)
class Curve:
    """Points by rising confidence. The first one is the operating point: all predictions, as the file has them."""

    points: tuple[CurvePoint, ...]

    @property
    def operating_point(self) -> CurvePoint:
        return self.points[0]

    def as_json(self) -> dict[str, Any]:
        points = [point.as_json() for point in self.points]
        return {"points": points, "operating_point": self.operating_point.as_json()}


def draw_curve(
    gold: SpanTable, predicted: SpanTable, overlaps: Overlaps, scheme: LabelScheme, rule: MatchRule
) -> tuple[Curve | None, str]:
    """Match again at each confidence. Without a curve, the second value says why."""
    reason = _missing_reason(predicted)
    if reason:
        return None, reason

    def point(score: float) -> CurvePoint:
        kept, pairs = select_predictions(predicted, overlaps, predicted.scores >= score)
        return CurvePoint(score, point_scores(match(gold, kept, pairs, scheme, rule)))

    return Curve(tuple(point(score) for score in _cuts(predicted.scores))), ""


def _missing_reason(predicted: SpanTable) -> str:
    if not len(predicted):
        return NO_PREDICTIONS
    if np.isnan(predicted.scores).any():
        return NO_SCORES
    return EQUAL_SCORES if predicted.scores.min() == predicted.scores.max() else ""


def _cuts(scores: Floats) -> list[float]:
    """All distinct scores; if they are many, those at even ranks, with the lowest and the highest."""
    distinct = np.unique(scores)
    ranks = np.unique(np.linspace(0, len(distinct) - 1, min(len(distinct), MAX_POINTS)).round().astype(np.int64))
    return [float(score) for score in distinct[ranks]]
