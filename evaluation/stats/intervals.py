"""A score with its interval and number of profiles, or the reason why there is none."""

from dataclasses import asdict, dataclass

import numpy as np

from evaluation.stats.metric import Ratio
from evaluation.stats.panel import Floats
from evaluation.stats.reasons import missing_reason

PERCENTILES = (2.5, 97.5)  # a 95 % interval
MIN_DEFINED_SHARE = 0.5  # of the resamples, to give an interval


@dataclass(frozen=True, slots=True)
class Score:
    """A value with its interval, or neither of them and a reason in words."""

    value: float | None
    low: float | None
    high: float | None
    profiles: int
    pairs: int
    reason: str
    signature: str

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def score_with_interval(ratio: Ratio, *, profiles: int, pairs: int, signature: str) -> Score:
    """The first value of `ratio` is the score itself, the others come from the resamples."""
    value = float(ratio.values[0])
    reason = missing_reason(profiles, is_defined=not np.isnan(value))
    if reason:
        return Score(None, None, None, profiles, pairs, reason, signature)
    low, high = interval(ratio.values[1:])
    return Score(value, low, high, profiles, pairs, "", signature)


def interval(values: Floats) -> tuple[float | None, float | None]:
    """Percentiles of the resamples in which the metric is defined. None if it is undefined in most of them."""
    defined = values[~np.isnan(values)]
    if not len(defined) or len(defined) < MIN_DEFINED_SHARE * len(values):
        return None, None
    low, high = np.percentile(defined, PERCENTILES).tolist()
    return low, high
