"""A value with both kinds of interval, from counts per unit: documents, profiles, items.

`Sums` adds the counts up once. A statistic is any function that turns rows of sums into one value per row.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from evaluation.stats.bca import bca_interval
from evaluation.stats.bootstrap import Weights
from evaluation.stats.intervals import interval
from evaluation.stats.panel import Floats
from evaluation.stats.signature import MIN_PROFILES

MIN_UNITS = MIN_PROFILES  # that contribute, to give an interval
Statistic = Callable[[Floats], Floats]  # rows of sums to one value per row, NaN where it is undefined


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % intervals: plain percentiles, and BCa. `reason` says why something is missing."""

    value: float | None
    low: float | None = None
    high: float | None = None
    bca_low: float | None = None
    bca_high: float | None = None
    reason: str = ""

    def as_json(self) -> dict[str, float | str | None]:
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sums of the counts over all units, over each resample, and over all units but one."""

    observed: Floats
    resampled: Floats
    left_out: Floats

    @classmethod
    def of(cls, table: npt.NDArray[np.number], weights: Weights) -> "Sums":
        """`table` has a row per unit and a column per count; `weights` come from `draw_weights` for these units."""
        observed = table.sum(axis=0, dtype=np.float64)[None, :]
        resampled = (weights @ table.astype(np.float32)).astype(np.float64)
        return cls(observed, resampled, observed - table)

    def apply(self, statistic: Statistic) -> "Values":
        return Values(float(statistic(self.observed)[0]), statistic(self.resampled), statistic(self.left_out))


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """A statistic of all units, of each resample, and without each unit in turn. NaN where it is undefined."""

    observed: float
    resampled: Floats
    left_out: Floats

    def __sub__(self, other: "Values") -> "Values":
        return Values(self.observed - other.observed, self.resampled - other.resampled, self.left_out - other.left_out)

    def estimate(self, units: int, undefined: str, unit: str = "document") -> Estimate:
        """`units` is how many contribute; `undefined` is the reason to give if there is no value."""
        if np.isnan(self.observed):
            return Estimate(None, reason=undefined)
        if units < MIN_UNITS or not len(self.resampled):
            return Estimate(self.observed, reason=too_few(units, unit) if units < MIN_UNITS else NO_RESAMPLES)
        low, high = interval(self.resampled)
        bca_low, bca_high = bca_interval(self.observed, self.resampled, self.left_out)
        return Estimate(self.observed, low, high, bca_low, bca_high, "" if low is not None else RARELY_DEFINED)


# The words before the colon are the short form, for table cells.
NO_RESAMPLES = "No interval: no resamples were requested."
RARELY_DEFINED = "No interval: the value is undefined in most resamples."


def too_few(units: int, unit: str) -> str:
    verb = "is" if units == 1 else "are"
    return f"Too few: an interval needs {MIN_UNITS} {unit}s that contribute, and there {verb} {units}."
