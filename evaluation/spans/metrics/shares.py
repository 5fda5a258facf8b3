"""A share of two sums over documents: precision, recall and F scores all are, so all are resampled in the same way."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.stats.bootstrap import Weights
from evaluation.stats.estimates import NO_RESAMPLES, Estimate, Sums
from evaluation.stats.metric import Ratio
from evaluation.stats.panel import Floats

NOTHING_TO_COUNT = "Nothing to count: the value is undefined."  # the words before the colon are the short form


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """Part and whole of each document. They add up over documents; their quotients don't."""

    part: Floats
    whole: Floats

    @property
    def value(self) -> float | None:
        """None if there is nothing to count."""
        whole = float(self.whole.sum())
        return float(self.part.sum()) / whole if whole else None

    def estimate(self, weights: Weights | None) -> Estimate:
        """The value with its intervals over resampled documents. `weights` are shared by all metrics of a run."""
        if weights is None:
            return Estimate(self.value, reason=NOTHING_TO_COUNT if self.value is None else NO_RESAMPLES)
        values = Sums.of(np.stack([self.part, self.whole], axis=1), weights).apply(_quotients)
        return values.estimate(int(np.count_nonzero(self.whole)), NOTHING_TO_COUNT)

    def as_json(self, weights: Weights | None = None) -> dict[str, Any]:
        return self.estimate(weights).as_json()


def _quotients(sums: Floats) -> Floats:
    return Ratio(sums[:, 0], sums[:, 1]).values


def f_share(precision: Share, recall: Share, beta: float) -> Share:
    """F as a share: (1 + β²) · hits ÷ (β² · gold + predicted). Precision and recall must have the same part."""
    square = beta * beta
    return Share((1 + square) * recall.part, square * recall.whole + precision.whole)
