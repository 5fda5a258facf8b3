"""Leakage: the share of personal information that stays readable when all predictions are masked, in characters.

Labels don't matter, because a mask hides whatever it covers. A character counts once, however many gold spans it is in.
"""

from dataclasses import dataclass

import numpy as np

from evaluation.spans.metrics.segments import cut_characters
from evaluation.spans.metrics.shares import Share
from evaluation.spans.tables import SpanTable
from evaluation.stats.bootstrap import Weights
from evaluation.stats.panel import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Leakage:
    """Numbers of characters, by document."""

    gold: Floats  # in gold spans of scored types
    uncovered: Floats  # of these, in no prediction
    masked: Floats  # in predictions of any type
    lengths: Floats | None  # of the texts; None if there are none

    @property
    def rate(self) -> Share:
        return Share(self.uncovered, self.gold)

    @property
    def masked_share(self) -> Share | None:
        """How much of the text is masked: masking everything leaks nothing, and says nothing."""
        return None if self.lengths is None else Share(self.masked, self.lengths)

    def as_json(self, weights: Weights | None = None) -> dict[str, object]:
        share = self.masked_share
        return {
            "characters": int(self.gold.sum()),
            "uncovered": int(self.uncovered.sum()),
            "rate": self.rate.as_json(weights),
            "masked_share": None if share is None else share.as_json(weights),
        }


def measure_leakage(
    gold: SpanTable, predicted: SpanTable, lengths: Ints | None, *, ignored: frozenset[str] = frozenset()
) -> Leakage:
    """`lengths` are those of the texts. Gold may hold the spans of several annotators: each character counts once."""
    segments = cut_characters(gold, predicted)
    is_ignored = np.array([name in ignored for name in gold.label_names], bool)
    personal = segments.in_gold(~is_ignored[gold.labels])
    masked = segments.in_predicted(np.ones(len(predicted), bool))
    return Leakage(
        gold=segments.count(personal),
        uncovered=segments.count(personal & ~masked),
        masked=segments.count(masked),
        lengths=None if lengths is None else lengths.astype(np.float64),
    )
