"""Ages as codes: which ones agree, their midpoints, and ten-year bands."""

from collections.abc import Sequence

import numpy as np

from evaluation.stats.panel import Bools, Floats, Ints
from profiles.answers.ages import year_range
from profiles.answers.comparison import MAX_YEARS_APART
from profiles.attributes import OLDEST, YOUNGEST

BAND_YEARS = 10
BANDS = OLDEST // BAND_YEARS - YOUNGEST // BAND_YEARS + 1


def equivalent_ages(ages: Sequence[str]) -> Bools:
    """Which ages agree: ranges that share a year, and ages whose ends are both at most 2 years apart.

    27 means 27-27. So 25-30 agrees with 30-35, and 27 with 29, but 25-30 does not agree with 33.
    """
    low, high = _ends(ages)
    low_distances, high_distances = (np.abs(np.subtract.outer(end, end)) for end in (low, high))
    share_a_year = np.less_equal.outer(low, high) & np.greater_equal.outer(high, low)
    result: Bools = share_a_year | ((low_distances <= MAX_YEARS_APART) & (high_distances <= MAX_YEARS_APART))
    return result


def midpoints(ages: Sequence[str]) -> Floats:
    low, high = _ends(ages)
    return (low + high) / 2


def bands(ages: Sequence[str]) -> Ints:
    """The ten-year band of each midpoint. Band 0 is 10 to under 20."""
    return (midpoints(ages) // BAND_YEARS).astype(np.int64) - YOUNGEST // BAND_YEARS


def _ends(ages: Sequence[str]) -> tuple[Ints, Ints]:
    low, high = np.array([year_range(age) for age in ages], np.int64).reshape(-1, 2).T
    return low, high
