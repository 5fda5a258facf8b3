"""Bias-corrected and accelerated bootstrap intervals (Efron 1987)."""

from statistics import NormalDist

import numpy as np

from evaluation.stats.intervals import MIN_DEFINED_SHARE, PERCENTILES
from evaluation.stats.panel import Floats

_NORMAL = NormalDist()


def bca_interval(value: float, resampled: Floats, left_out: Floats) -> tuple[float | None, float | None]:
    """Percentiles of the resamples, moved for bias and skewness.

    `left_out` has the value without each unit in turn. None if the value is undefined in most resamples, or if all of
    them lie on one side of it, which leaves the bias without a size.
    """
    defined = resampled[~np.isnan(resampled)]
    if not len(defined) or len(defined) < MIN_DEFINED_SHARE * len(resampled):
        return None, None
    below = float((defined < value).mean() + (defined == value).mean() / 2)
    if not 0 < below < 1:
        return None, None
    bias, skew = _NORMAL.inv_cdf(below), acceleration(left_out)
    low, high = (float(np.quantile(defined, _moved(percentile / 100, bias, skew))) for percentile in PERCENTILES)
    return low, high


def acceleration(left_out: Floats) -> float:
    """How fast the standard error changes with the value: a sixth of the skewness of the jackknife values."""
    defined = left_out[~np.isnan(left_out)]
    if not len(defined):
        return 0.0
    deviations = defined.mean() - defined
    spread = float((deviations**2).sum())
    return float((deviations**3).sum()) / (6 * spread**1.5) if spread > 1e-24 else 0.0


def _moved(share: float, bias: float, skew: float) -> float:
    shifted = bias + _NORMAL.inv_cdf(share)
    return _NORMAL.cdf(bias + shifted / (1 - skew * shifted))
