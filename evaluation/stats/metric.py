"""A metric is a ratio whose numerator and denominator can be added up, computed on any sample of profiles."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from evaluation.stats.bootstrap import Sample
from evaluation.stats.panel import Floats


class MetricName(StrEnum):
    PERCENT = "percent"
    KAPPA = "kappa"
    KAPPA_QUADRATIC = "kappa-quadratic"
    ALPHA_NOMINAL = "alpha-nominal"
    ALPHA_ORDINAL = "alpha-ordinal"
    ALPHA_INTERVAL = "alpha-interval"


@dataclass(frozen=True, slots=True)
class Ratio:
    """A metric's numerator and denominator, one pair per sample. Both add up over attributes; the metric does not."""

    numerator: Floats
    denominator: Floats

    def __add__(self, other: "Ratio") -> "Ratio":
        return Ratio(self.numerator + other.numerator, self.denominator + other.denominator)

    @property
    def values(self) -> Floats:
        """The metric per sample. NaN where the denominator is 0, because nothing could have differed."""
        defined = self.denominator > 1e-9
        return np.where(defined, self.numerator / np.where(defined, self.denominator, 1.0), np.nan)


class Metric(Protocol):
    def ratio(self, sample: Sample) -> Ratio: ...
