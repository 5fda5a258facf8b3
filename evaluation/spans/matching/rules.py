"""What a match is asked for by, and what it returns."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

import numpy as np

from evaluation.spans.labels import IgnorePolicy, LabelMode
from evaluation.stats.panel import Bools, Ints


class Method(StrEnum):
    COMPAT = "compat"  # the ECHR study's rule, to reproduce its numbers
    EXACT = "exact"  # same start and end, one to one
    IOU = "iou"  # intersection over union of at least the threshold, one to one
    R1 = "r1"  # as IOU, then several predictions that cover a gold span together


class GoldState(IntEnum):
    MISSED = 0
    MATCHED = 1
    COMPOUND = 2  # matched by several predictions together
    IGNORED = 3  # not scored


class PredictionState(IntEnum):
    SPURIOUS = 0
    MATCHED = 1
    CONTRIBUTED = 2  # part of a compound match
    IGNORED = 3  # dropped


@dataclass(frozen=True, slots=True)
class MatchRule:
    """`threshold` means nothing to EXACT. COMPAT always ignores as the study does, whatever `ignore` says."""

    method: Method
    labels: LabelMode
    threshold: float = 0.3
    ignore: IgnorePolicy = IgnorePolicy.SYMMETRIC


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """What became of every span. Rows are those of the two tables.

    `partners` has the row of each gold span's predicted span, the first one if there are several, or -1.
    `relaxed` marks gold spans that were matched by another label, at least in part.
    `merged` is the number of predictions that cover two or more gold spans with labels they may match.
    """

    gold: Ints
    predicted: Ints
    partners: Ints
    relaxed: Bools
    merged: int

    @property
    def is_matched(self) -> Bools:
        """Of gold spans."""
        return np.equal(self.gold, GoldState.MATCHED) | np.equal(self.gold, GoldState.COMPOUND)

    @property
    def is_used(self) -> Bools:
        """Of predictions."""
        states = self.predicted
        return np.equal(states, PredictionState.MATCHED) | np.equal(states, PredictionState.CONTRIBUTED)
