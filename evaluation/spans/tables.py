"""Spans of all documents as numpy columns, and the pairs that overlap: computed once, used by every metric."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from evaluation.spans.records import LabelledSpan
from evaluation.stats.panel import Bools, Floats, Ints

MAX_PAIRS = 50_000_000  # that overlap: 1.2 GB of pairs. Spans nested in each other a thousandfold exceed it.
CHUNK_SIZE = 1_000_000  # pairs whose temporary arrays are in memory at the same time


class TooManyOverlaps(ValueError):
    """The spans overlap each other so often that the list of pairs would not fit into memory."""


@dataclass(frozen=True, slots=True, eq=False)
class SpanTable:
    """One row per span. Documents ascend; inside a document the order of the input is kept.

    `labels` are indices into `label_names`, which both sides share. `scores` is NaN where the file has none.
    """

    documents: Ints
    starts: Ints
    ends: Ints
    labels: Ints
    scores: Floats
    label_names: tuple[str, ...]
    document_count: int

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def lengths(self) -> Ints:
        return self.ends - self.starts

    def rows(self, rows: Ints) -> "SpanTable":
        """Only these rows, in this order."""
        return replace(
            self,
            documents=self.documents[rows],
            starts=self.starts[rows],
            ends=self.ends[rows],
            labels=self.labels[rows],
            scores=self.scores[rows],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Overlaps:
    """All pairs of a gold and a predicted span of the same document that share a character.

    Sorted by gold row, then by predicted row. `shared` is the number of shared characters.
    """

    gold: Ints
    predicted: Ints
    shared: Ints


def build_tables(
    gold: Sequence[Iterable[LabelledSpan]], predicted: Sequence[Iterable[LabelledSpan]]
) -> tuple[SpanTable, SpanTable]:
    """Build both tables from the spans of each document, whose labels are mapped already."""
    names: dict[str, int] = {}
    columns = [_columns(side, names) for side in (gold, predicted)]
    first, second = (SpanTable(*side, tuple(names), len(gold)) for side in columns)
    return first, second


def _columns(side: Sequence[Iterable[LabelledSpan]], names: dict[str, int]) -> tuple[Ints, Ints, Ints, Ints, Floats]:
    rows = [
        (document, span.start, span.end, names.setdefault(span.label, len(names)))
        for document, spans in enumerate(side)
        for span in spans
    ]
    scores = [np.nan if span.score is None else span.score for spans in side for span in spans]
    documents, starts, ends, labels = np.array(rows, np.int64).reshape(-1, 4).T
    return documents, starts, ends, labels, np.array(scores, np.float64)


def find_overlaps(gold: SpanTable, predicted: SpanTable, *, max_pairs: int = MAX_PAIRS) -> Overlaps:
    """Find all pairs that share a character. Empty spans share none.

    Of two spans that overlap, either the predicted one begins inside the gold one, or the gold one begins inside the
    predicted one, after its first character. With starts sorted, both kinds are ranges that two binary searches find,
    so time is n·log n plus the number of pairs. Memory is that of the pairs; TooManyOverlaps if they exceed
    `max_pairs`, before any of them is in memory.
    """
    tables = (gold, predicted)
    lowest = min(int(table.starts.min(initial=0)) for table in tables)
    stride = 1 - lowest + max(int(table.ends.max(initial=0)) for table in tables)
    first, second = _Positions.of(gold, stride), _Positions.of(predicted, stride)
    inside_gold, inside_predicted = second.range_of_starts(first, "left"), first.range_of_starts(second, "right")
    sizes = [int(counts.sum()) for _, counts in (inside_gold, inside_predicted)]
    if sum(sizes) > max_pairs:
        raise TooManyOverlaps(f"{sum(sizes):,} pairs of spans overlap; at most {max_pairs:,} can be compared.")
    keys = np.empty(sum(sizes), np.int64)  # of a pair: gold row · number of predictions + predicted row
    width = max(len(predicted), 1)
    _fill(keys[: sizes[0]], first.rows * width, second.rows, inside_gold)
    _fill(keys[sizes[0] :], second.rows, first.rows * width, inside_predicted)
    keys.sort()
    return _overlaps_of(keys, gold, predicted, width)


@dataclass(frozen=True, slots=True, eq=False)
class _Positions:
    """The spans that aren't empty, sorted by document and start. Documents lie one after another on one line."""

    rows: Ints
    starts: Ints
    ends: Ints

    @classmethod
    def of(cls, table: SpanTable, stride: int) -> "_Positions":
        rows = np.flatnonzero(table.ends > table.starts)
        offsets = table.documents[rows] * stride
        starts, ends = table.starts[rows] + offsets, table.ends[rows] + offsets
        order = np.argsort(starts, kind="stable")
        return cls(rows[order], starts[order], ends[order])

    def range_of_starts(self, others: "_Positions", side: Literal["left", "right"]) -> tuple[Ints, Ints]:
        """For each other span: the first of these spans that begins inside it, and how many do.

        With side "right", those that begin with its first character are left out.
        """
        first = np.searchsorted(self.starts, others.starts, side)
        return first, np.maximum(np.searchsorted(self.starts, others.ends, "left") - first, 0)


def _fill(keys: Ints, owners: Ints, members: Ints, ranges: tuple[Ints, Ints]) -> None:
    """Write owner + member for each owner and every member of its range, chunk by chunk."""
    first, counts = ranges
    ends = np.cumsum(counts)
    for chunk in _chunks(ends):
        end = int(ends[chunk.stop - 1])
        begin = end - int(counts[chunk].sum())
        shifts = np.repeat(first[chunk] - (ends[chunk] - counts[chunk]), counts[chunk])
        keys[begin:end] = np.repeat(owners[chunk], counts[chunk]) + members[np.arange(begin, end) + shifts]


def _chunks(ends: Ints) -> Iterator[slice]:
    """Slices of owners with about CHUNK_SIZE pairs each; an owner with more than that is a slice of its own."""
    start, pairs = 0, 0
    while start < len(ends):
        stop = max(int(np.searchsorted(ends, pairs + CHUNK_SIZE, "right")), start + 1)
        yield slice(start, stop)
        start, pairs = stop, int(ends[stop - 1])


def _overlaps_of(keys: Ints, gold: SpanTable, predicted: SpanTable, width: int) -> Overlaps:
    pairs = Overlaps(*(np.empty(len(keys), np.int64) for _ in range(3)))
    for start in range(0, len(keys), CHUNK_SIZE):
        chunk = slice(start, start + CHUNK_SIZE)
        first, second = np.divmod(keys[chunk], width)
        pairs.gold[chunk], pairs.predicted[chunk] = first, second
        begin = np.maximum(gold.starts[first], predicted.starts[second])
        pairs.shared[chunk] = np.minimum(gold.ends[first], predicted.ends[second]) - begin
    return pairs


def select_predictions(predicted: SpanTable, overlaps: Overlaps, is_kept: Bools) -> tuple[SpanTable, Overlaps]:
    """Leave only some of the predictions, and the pairs that they are part of."""
    pairs = is_kept[overlaps.predicted]
    rows = (np.cumsum(is_kept) - 1)[overlaps.predicted[pairs]]
    return predicted.rows(np.flatnonzero(is_kept)), Overlaps(overlaps.gold[pairs], rows, overlaps.shared[pairs])
