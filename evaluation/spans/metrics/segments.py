"""Documents cut wherever a span begins or ends. Nothing changes inside a segment, so segments can stand for its units.

Units are words or characters, numbered through all documents.
"""

from dataclasses import dataclass

import numpy as np

from evaluation.spans.metrics.texts import Texts
from evaluation.spans.tables import SpanTable
from evaluation.stats.panel import Bools, Floats, Ints

Ranges = tuple[Ints, Ints]  # the first unit of each span, and the unit after its last


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    gold: Ranges
    predicted: Ranges
    cuts: Ints
    documents: Ints
    document_count: int

    def in_gold(self, rows: Bools) -> Bools:
        """The segments that lie in at least one of these gold spans."""
        return self._covered(self.gold, rows)

    def in_predicted(self, rows: Bools) -> Bools:
        return self._covered(self.predicted, rows)

    def count(self, is_counted: Bools) -> Floats:
        """The number of units in some of the segments, by document."""
        lengths = np.diff(self.cuts)[is_counted]
        return np.bincount(self.documents[is_counted], lengths, self.document_count).astype(np.float64)

    def _covered(self, ranges: Ranges, rows: Bools) -> Bools:
        begins, ends = (np.searchsorted(self.cuts, side[rows]) for side in ranges)
        size = len(self.cuts)
        return np.cumsum(np.bincount(begins, minlength=size) - np.bincount(ends, minlength=size))[:-1] > 0


def cut_words(gold: SpanTable, predicted: SpanTable, texts: Texts) -> Segments:
    """A word belongs to each span that shares a character with it."""
    sides = [texts.words.touched(*texts.positions(side)) for side in (gold, predicted)]
    return _cut(sides[0], sides[1], np.searchsorted(texts.words.starts, texts.offsets))


def cut_characters(gold: SpanTable, predicted: SpanTable) -> Segments:
    """Needs no texts: a document is as long as its last span needs."""
    lengths = np.zeros(gold.document_count, np.int64)
    for side in (gold, predicted):
        np.maximum.at(lengths, side.documents, side.ends)
    offsets = np.cumsum(lengths) - lengths
    first, second = (
        (offsets[side.documents] + side.starts, offsets[side.documents] + side.ends) for side in (gold, predicted)
    )
    return _cut(first, second, offsets)


def _cut(gold: Ranges, predicted: Ranges, offsets: Ints) -> Segments:
    cuts = np.unique(np.concatenate([np.zeros(1, np.int64), *gold, *predicted]))
    documents = np.searchsorted(offsets, cuts[:-1], "right") - 1
    return Segments(gold, predicted, cuts, documents, len(offsets))
