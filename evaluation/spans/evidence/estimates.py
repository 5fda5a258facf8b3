"""Shares of groups of columns, with their intervals over profiles."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from evaluation.spans.evidence.tally import Column, Tally
from evaluation.stats.bootstrap import Float32s, draw_weights
from evaluation.stats.estimates import Estimate, Sums
from evaluation.stats.panel import Floats

# The words before the colon are the short form, for table cells.
NOTHING_TO_COUNT = "Nothing to count: there is none in this group."
NO_SPREAD = "No interval: all profiles are alike."  # so resampling them can't tell how certain the share is
Choice = Callable[[Column], bool]


class Shares:
    """The counts of a tally by profile, and resamples of the profiles that all shares have in common."""

    def __init__(self, tally: Tally, *, resamples: int, seed: int) -> None:
        self._columns, self._table = tally.columns, tally.counts.table
        self._resamples, self._seed = resamples, seed

    def total(self, choice: Choice) -> int:
        return int(self._per_profile(choice).sum(dtype=np.float64))

    def profiles(self, choice: Choice) -> int:
        return int(np.count_nonzero(self._per_profile(choice)))

    def share(self, numerator: Choice, denominator: Choice) -> Estimate:
        """The sum of one choice of columns divided by that of another."""
        table = np.stack([self._per_profile(numerator), self._per_profile(denominator)], axis=1)
        profiles = int(np.count_nonzero(table[:, 1]))
        estimate = Sums.of(table, self._weights).apply(_ratio).estimate(profiles, NOTHING_TO_COUNT, unit="profile")
        is_flat = estimate.low is not None and estimate.low == estimate.high
        return Estimate(estimate.value, reason=NO_SPREAD) if is_flat else estimate

    @cached_property
    def _weights(self) -> Float32s:
        profiles = len(self._table)
        return draw_weights(profiles, self._resamples if profiles else 0, np.random.default_rng(self._seed))

    def _per_profile(self, choice: Choice) -> Float32s:
        chosen = [index for column, index in self._columns.items() if choice(column)]
        amounts: Float32s = self._table[:, chosen].sum(axis=1)
        return amounts


def _ratio(sums: Floats) -> Floats:
    """NaN where there is nothing to divide by."""
    parts, wholes = sums.T
    shares: Floats = np.divide(parts, wholes, out=np.full(len(sums), np.nan), where=wholes > 0)
    return shares
