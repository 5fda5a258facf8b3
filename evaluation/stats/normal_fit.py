"""Intervals from a normal distribution that is fitted to resampled values, as GenderBench makes them."""

from statistics import NormalDist

import numpy as np

from evaluation.stats.panel import Floats

ALPHA = 0.95


def normal_interval(resampled: Floats, alpha: float = ALPHA) -> tuple[float | None, float | None]:
    """The central part of a normal distribution with the values' mean and standard deviation.

    Its centre is the mean of the resamples, not the value itself, and it may leave the values' range. Values that are
    undefined don't count. None if all are.
    """
    defined = resampled[~np.isnan(resampled)]
    if not len(defined):
        return None, None
    mean, deviation = float(defined.mean()), float(defined.std())
    reach = NormalDist().inv_cdf((1 + alpha) / 2) * deviation
    return mean - reach, mean + reach
