"""A score with its interval and the number of profiles behind it, or the reason why there is none."""

from dataclasses import asdict, dataclass

import numpy as np

from evaluation.stats.metric import Ratio
from evaluation.stats.panel import Floats
from evaluation.stats.signature import MIN_PROFILES

PERCENTILES = (2.5, 97.5)  # 95 of 100 resamples lie between
MIN_DEFINED_SHARE = 0.5  # of the resamples, for an interval

NO_VARIATION = "No variation: everybody said the same, so agreement beyond chance cannot be told."


@dataclass(frozen=True, slots=True)
class Score:
    """A value with its interval, or neither and a reason in words."""

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
    """The first value is the score itself, the others are its resamples."""
    value = float(ratio.values[0])
    reason = missing_reason(value, profiles)
    if reason:
        return Score(None, None, None, profiles, pairs, reason, signature)
    low, high = interval(ratio.values[1:])
    return Score(value, low, high, profiles, pairs, "", signature)


def missing_reason(value: float, profiles: int) -> str:
    """Empty where the score can be shown."""
    if profiles < MIN_PROFILES:
        return too_few_profiles(profiles)
    return NO_VARIATION if np.isnan(value) else ""


def too_few_profiles(profiles: int) -> str:
    count = "none" if profiles == 0 else f"only {profiles}"
    return f"Too few: {count} of the {MIN_PROFILES} profiles that are needed, judged by two or more people."


def interval(values: Floats) -> tuple[float | None, float | None]:
    """Percentiles of the resamples in which the metric is defined; none where it mostly is not."""
    defined = values[~np.isnan(values)]
    if not len(defined) or len(defined) < MIN_DEFINED_SHARE * len(values):
        return None, None
    low, high = np.percentile(defined, PERCENTILES).tolist()
    return low, high
