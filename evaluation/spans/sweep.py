"""R1 at every threshold from 0.1 to 1.0, in all label modes: how much a score owes to the threshold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.spans.labels import IgnorePolicy, LabelMode, LabelScheme
from evaluation.spans.matching.canonical import CanonicalPairs
from evaluation.spans.matching.optimal import match_optimally
from evaluation.spans.matching.rules import MatchRule, Method
from evaluation.spans.scores import PointScores, point_scores
from evaluation.spans.tables import Overlaps, SpanTable

THRESHOLDS = tuple(step / 10 for step in range(1, 11))


@dataclass(frozen=True, slots=True)
class SweepPoint:
    threshold: float
    scores: Mapping[LabelMode, PointScores]

    def as_json(self) -> dict[str, Any]:
        modes = {str(mode): scores.as_json() for mode, scores in self.scores.items()}
        return {"threshold": self.threshold, **modes}


def sweep(
    gold: SpanTable,
    predicted: SpanTable,
    overlaps: Overlaps,
    scheme: LabelScheme,
    *,
    ignore: IgnorePolicy = IgnorePolicy.SYMMETRIC,
    thresholds: Sequence[float] = THRESHOLDS,
) -> list[SweepPoint]:
    """Micro-averaged precision, recall and F1 at each threshold. Pairs are sorted only once."""
    canonical = CanonicalPairs.of(gold, predicted, overlaps)

    def scores(mode: LabelMode, threshold: float) -> PointScores:
        return point_scores(match_optimally(canonical, scheme, MatchRule(Method.R1, mode, threshold, ignore)))

    return [SweepPoint(threshold, {mode: scores(mode, threshold) for mode in LabelMode}) for threshold in thresholds]
