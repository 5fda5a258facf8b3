"""Compare two systems on the same units: paired bootstrap and approximate randomisation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.stats.bootstrap import Float32s
from evaluation.stats.estimates import Estimate, Statistic, Sums, Values
from evaluation.stats.panel import Floats

TOLERANCE = 1e-12  # equal differences may be rounded differently


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second. Both p-values are two-sided and count the observed difference as one of the samples."""

    estimate: Estimate
    p_bootstrap: float | None
    p_randomisation: float | None


def paired_difference(first: Sums, second: Sums, statistic: Statistic) -> Values:
    """The difference on all units and on the same resamples of both."""
    return first.apply(statistic) - second.apply(statistic)


def p_paired_bootstrap(difference: Values) -> float | None:
    """How often resampled differences lie as far from the observed one as that lies from zero."""
    return p_value(difference.observed, difference.resampled - difference.observed)


def p_randomisation(first: Floats, second: Floats, statistic: Statistic, swaps: Float32s) -> float | None:
    """How often the difference is as large after the two systems swap a random half of the units (Noreen 1989).

    The tables have a row per unit and a column per count; `swaps` come from `draw_swaps`.
    """
    moved = (swaps @ (first - second).astype(np.float32)).astype(np.float64)
    totals = first.sum(axis=0)[None, :], second.sum(axis=0)[None, :]
    observed = float((statistic(totals[0]) - statistic(totals[1]))[0])
    return p_value(observed, statistic(totals[0] - moved) - statistic(totals[1] + moved))


def p_value(observed: float, under_null: Floats) -> float | None:
    """The share of samples under the null hypothesis that are at least as extreme. None if none is defined."""
    defined = under_null[~np.isnan(under_null)]
    if np.isnan(observed) or not len(defined):
        return None
    extreme = int((np.abs(defined) >= abs(observed) - TOLERANCE).sum())
    return (extreme + 1) / (len(defined) + 1)


def draw_swaps(units: int, rounds: int, rng: np.random.Generator) -> Float32s:
    """For each round and unit: 1 if the two systems swap it, else 0."""
    return rng.integers(0, 2, (rounds, units), dtype=np.int8).astype(np.float32)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct for several tests of one family (Holm 1979). What is None was not tested, and counts for nothing.

    The i-th smallest of m p-values, i from 0, is multiplied by m − i; none gets smaller than one before it.
    """
    tested = sorted((value, place) for place, value in enumerate(p_values) if value is not None)
    corrected: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (value, place) in enumerate(tested):
        least = max(least, min(1.0, value * (len(tested) - rank)))
        corrected[place] = least
    return corrected
