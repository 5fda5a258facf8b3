"""A figure with everything that belongs to it: its interval, the number behind it, or why there is none."""

from dataclasses import asdict, dataclass

import numpy as np

from evaluation.stats.measures import Parts
from evaluation.stats.panel import Floats
from evaluation.stats.signature import LEAST_PROFILES

COVERED = (2.5, 97.5)  # percentiles: 95 of 100 resamples lie between
LEAST_DEFINED = 0.5  # of the resamples, for an interval

ALL_THE_SAME = "No variation: everybody said the same, so agreement beyond chance cannot be told."


@dataclass(frozen=True, slots=True)
class Figure:
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


def figure(parts: Parts, *, profiles: int, pairs: int, signature: str) -> Figure:
    """The first of the scores is the figure, the others are what it might have been."""
    scores = parts.scores
    found = float(scores[0])
    reason = why_none(found, profiles)
    if reason:
        return Figure(None, None, None, profiles, pairs, reason, signature)
    low, high = interval(scores[1:])
    return Figure(found, low, high, profiles, pairs, "", signature)


def why_none(found: float, profiles: int) -> str:
    """Nothing where the figure can be shown."""
    if profiles < LEAST_PROFILES:
        return too_few(profiles)
    return ALL_THE_SAME if np.isnan(found) else ""


def too_few(profiles: int) -> str:
    told = "none" if profiles == 0 else f"only {profiles}"
    return f"Too few: {told} of the {LEAST_PROFILES} profiles that are needed, judged by two or more people."


def interval(scores: Floats) -> tuple[float | None, float | None]:
    """By percentiles of the resamples in which the measure is defined; none where most are not."""
    defined = scores[~np.isnan(scores)]
    if not len(defined) or len(defined) < LEAST_DEFINED * len(scores):
        return None, None
    low, high = np.percentile(defined, COVERED).tolist()
    return low, high
