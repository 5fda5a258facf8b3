"""The measures by name, and what each is made of."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from evaluation.stats.bootstrap import Draws
from evaluation.stats.panel import Floats


class Measure(StrEnum):
    PERCENT = "percent"
    KAPPA = "kappa"
    KAPPA_QUADRATIC = "kappa-quadratic"
    ALPHA_NOMINAL = "alpha-nominal"
    ALPHA_ORDINAL = "alpha-ordinal"
    ALPHA_INTERVAL = "alpha-interval"


@dataclass(frozen=True, slots=True)
class Parts:
    """A measure is `got / possible`, for each draw; both add up over attributes, the measure itself does not."""

    got: Floats
    possible: Floats

    def __add__(self, other: "Parts") -> "Parts":
        return Parts(self.got + other.got, self.possible + other.possible)

    @property
    def scores(self) -> Floats:
        """Not a number where nothing could have differed."""
        defined = self.possible > 1e-9
        return np.where(defined, self.got / np.where(defined, self.possible, 1.0), np.nan)


class Statistic(Protocol):
    def parts(self, draws: Draws) -> Parts: ...
