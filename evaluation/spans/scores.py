"""Precision, recall, F1 and F2 with their intervals, by type, macro and micro.

Both sides are counted: recall is matched gold spans among gold spans, precision is used predictions among predictions.
The F-scores are the weighted harmonic mean of the two; F2 weighs recall higher.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from evaluation.spans.matching import GoldState, Matching, PredictionState
from evaluation.spans.tally import Tally
from evaluation.stats.bootstrap import Weights
from evaluation.stats.estimates import Estimate, Sums
from evaluation.stats.panel import Bools, Floats

# The words before the colon are the short form, for table cells.
UNDEFINED = {
    "precision": "No predictions: precision is undefined.",
    "recall": "No gold spans: recall is undefined.",
    "f1": "No spans: there are neither gold spans nor predictions.",
    "f2": "No spans: there are neither gold spans nor predictions.",
}
METRICS = tuple(UNDEFINED)


@dataclass(frozen=True, slots=True)
class ScoreSet:
    precision: Estimate
    recall: Estimate
    f1: Estimate
    f2: Estimate

    def as_json(self) -> dict[str, Any]:
        return {metric: getattr(self, metric).as_json() for metric in METRICS}


@dataclass(frozen=True, slots=True)
class TypeScores:
    type: str
    gold: int
    matched: int
    predicted: int
    used: int
    scores: ScoreSet

    def as_json(self) -> dict[str, Any]:
        counts = {"gold": self.gold, "matched": self.matched, "predicted": self.predicted, "used": self.used}
        return {"type": self.type, **counts, **self.scores.as_json()}


@dataclass(frozen=True, slots=True)
class Scores:
    by_type: tuple[TypeScores, ...]
    macro: ScoreSet
    micro: ScoreSet

    def as_json(self) -> dict[str, Any]:
        """The keys that a report has for these scores."""
        return {
            "by_type": [scores.as_json() for scores in self.by_type],
            "macro": self.macro.as_json(),
            "micro": self.micro.as_json(),
        }


@dataclass(frozen=True, slots=True)
class PointScores:
    """Micro-averaged scores without intervals, for curves and sweeps."""

    precision: float | None
    recall: float | None
    f1: float | None

    def as_json(self) -> dict[str, float | None]:
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


def point_scores(matching: Matching) -> PointScores:
    """Score all types together, straight from the states of the spans."""
    is_gold, is_predicted = matching.gold != GoldState.IGNORED, matching.predicted != PredictionState.IGNORED
    counts = [is_gold.sum(), matching.is_matched.sum(), is_predicted.sum(), matching.is_used.sum()]
    parts = np.array([counts], np.float64)
    values = [float(metric_values(metric, parts)[0]) for metric in ("precision", "recall", "f1")]
    return PointScores(*(None if np.isnan(value) else value for value in values))


class Average(Enum):
    MACRO = "macro"
    MICRO = "micro"


Choice = int | Average  # the index of a type, or an average over types


def score(tally: Tally, weights: Weights) -> Scores:
    """Score with intervals over documents. `weights` come from `draw_weights` and are shared by all metrics."""
    sums = Sums.of(tally.table, weights)
    by_type = (_score_set(sums, _support(tally, [index]), index) for index in range(len(tally.types)))
    totals = (counts.sum(axis=0).tolist() for counts in tally.parts)
    rows = tuple(TypeScores(*row) for row in zip(tally.types, *totals, by_type, strict=True))
    macro, micro = (_score_set(sums, _support(tally, slice(None)), choice) for choice in Average)
    return Scores(rows, macro, micro)


@dataclass(frozen=True, slots=True)
class MetricStatistic:
    """A metric of one type, of all types together (micro), or its mean over the types that have gold spans (macro)."""

    metric: str
    choice: Choice

    def __call__(self, sums: Floats) -> Floats:
        parts = sums.reshape(len(sums), 4, sums.shape[1] // 4)
        if self.choice is Average.MICRO:
            return metric_values(self.metric, parts.sum(axis=2))
        if self.choice is Average.MACRO:
            values = metric_values(self.metric, parts)
            return mean_defined(values, (parts[:, 0] > 0) & ~np.isnan(values))
        return metric_values(self.metric, parts[:, :, self.choice])


def metric_values(metric: str, parts: Floats) -> Floats:
    """The metric from gold, matched, predicted and used, which are along the second axis. NaN if it is undefined.

    Without any match F is 0, even if one side is empty and its own score therefore undefined.
    """
    gold, matched, predicted, used = np.moveaxis(parts, 1, 0)
    if metric == "precision":
        return ratio(used, predicted)
    if metric == "recall":
        return ratio(matched, gold)
    precision, recall = np.nan_to_num(ratio(used, predicted)), np.nan_to_num(ratio(matched, gold))
    beta = 4.0 if metric == "f2" else 1.0  # squared
    values = np.nan_to_num(ratio((1 + beta) * precision * recall, beta * precision + recall))
    return np.where(gold + predicted > 0, values, np.nan)


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    is_defined = denominator > 0
    return np.where(is_defined, numerator / np.where(is_defined, denominator, 1.0), np.nan)


def mean_defined(values: Floats, is_counted: Bools) -> Floats:
    """The mean of each row's counted values. NaN if there is none."""
    return ratio(np.where(is_counted, values, 0.0).sum(axis=1), is_counted.sum(axis=1).astype(np.float64))


def _score_set(sums: Sums, support: dict[str, int], choice: Choice) -> ScoreSet:
    estimates = (
        sums.apply(MetricStatistic(metric, choice)).estimate(support[metric], UNDEFINED[metric]) for metric in METRICS
    )
    return ScoreSet(*estimates)


def _support(tally: Tally, columns: list[int] | slice) -> dict[str, int]:
    """The number of documents that contribute to each metric of these types."""
    has_gold, has_predicted = ((part[:, columns] > 0).any(axis=1) for part in (tally.gold, tally.predicted))
    either = int((has_gold | has_predicted).sum())
    return {"precision": int(has_predicted.sum()), "recall": int(has_gold.sum()), "f1": either, "f2": either}
