"""Matches that have been made so far, while a matching is worked out."""

from dataclasses import dataclass

import numpy as np

from evaluation.spans.matching.pairs import NO_PARTNER, Pairs
from evaluation.spans.matching.rules import GoldState, Matching, PredictionState
from evaluation.stats.panel import Bools, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """All spans start as missed or spurious."""

    gold: Ints
    predicted: Ints
    partners: Ints
    relaxed: Bools

    @classmethod
    def start(cls, gold: int, predicted: int) -> "Outcome":
        zeros = np.zeros(gold, np.int64), np.zeros(predicted, np.int64)
        return cls(*zeros, np.full(gold, NO_PARTNER, np.int64), np.zeros(gold, bool))

    def keep(self, pairs: Pairs) -> None:
        """Record matches: gold rows with several pairs are compound matches."""
        is_compound = np.bincount(pairs.gold, minlength=len(self.gold)) > 1
        self._keep(pairs, is_compound[pairs.gold])

    def keep_compounds(self, pairs: Pairs) -> None:
        """Record matches that were made from all predictions of a gold span, even if there was just one."""
        self._keep(pairs, np.ones(len(pairs), bool))

    def _keep(self, pairs: Pairs, is_compound: Bools) -> None:
        self.gold[pairs.gold] = np.where(is_compound, GoldState.COMPOUND, GoldState.MATCHED)
        self.predicted[pairs.predicted] = np.where(is_compound, PredictionState.CONTRIBUTED, PredictionState.MATCHED)
        self.partners[pairs.gold[::-1]] = pairs.predicted[::-1]  # the first pair is written last
        self.relaxed[pairs.gold[~pairs.have_equal_labels]] = True

    def ignore(self, is_gold_ignored: Bools, is_predicted_ignored: Bools) -> None:
        """Take spans without a match out of the count."""
        self.gold[is_gold_ignored & (self.gold == GoldState.MISSED)] = GoldState.IGNORED
        self.predicted[is_predicted_ignored & (self.predicted == PredictionState.SPURIOUS)] = PredictionState.IGNORED

    def is_open(self, pairs: Pairs) -> Bools:
        """Which pairs have neither span matched."""
        is_gold_open = np.equal(self.gold, GoldState.MISSED)[pairs.gold]
        return is_gold_open & np.equal(self.predicted, PredictionState.SPURIOUS)[pairs.predicted]

    def as_matching(self, merged: int) -> Matching:
        return Matching(self.gold, self.predicted, self.partners, self.relaxed, merged)
