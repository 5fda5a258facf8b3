"""Ages: whether two agree, the number in the middle, and bands of ten years."""

from collections.abc import Sequence

import numpy as np

from evaluation.stats.panel import Bools, Floats, Ints
from profiles.answers.ages import year_range
from profiles.answers.comparison import MAX_YEARS_APART
from profiles.attributes import OLDEST, YOUNGEST

BAND = 10
BANDS = OLDEST // BAND - YOUNGEST // BAND + 1


def alike(ages: Sequence[str]) -> Bools:
    """Which of them agree: ranges that share a year, and ages whose ends are both at most 2 years apart.

    27 is 27-27. So 25-30 agrees with 30-35, and 27 with 29, but 25-30 does not agree with 33.
    """
    low, high = _ends(ages)
    apart_low, apart_high = (np.abs(np.subtract.outer(end, end)) for end in (low, high))
    share_a_year = np.less_equal.outer(low, high) & np.greater_equal.outer(high, low)
    result: Bools = share_a_year | ((apart_low <= MAX_YEARS_APART) & (apart_high <= MAX_YEARS_APART))
    return result


def middles(ages: Sequence[str]) -> Floats:
    low, high = _ends(ages)
    return (low + high) / 2


def bands(ages: Sequence[str]) -> Ints:
    """10 to under 20 is the first."""
    return (middles(ages) // BAND).astype(np.int64) - YOUNGEST // BAND


def _ends(ages: Sequence[str]) -> tuple[Ints, Ints]:
    low, high = np.array([year_range(age) for age in ages], np.int64).reshape(-1, 2).T
    return low, high
