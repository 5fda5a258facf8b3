"""What was matched, per document and type. Counts add up over documents and annotators; scores don't."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from evaluation.spans.matching import GoldState, Matching, PredictionState
from evaluation.spans.tables import SpanTable
from evaluation.stats.panel import Bools, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Scored gold spans, how many of them matched, scored predictions, and how many of them were used.

    Rows are documents, columns are types. Gold spans count under their own label, predictions under theirs.
    """

    types: tuple[str, ...]
    gold: Ints
    matched: Ints
    predicted: Ints
    used: Ints

    @property
    def parts(self) -> tuple[Ints, Ints, Ints, Ints]:
        return self.gold, self.matched, self.predicted, self.used

    @property
    def table(self) -> Ints:
        """All four parts side by side, one row per document."""
        return np.concatenate(self.parts, axis=1)

    @property
    def documents(self) -> int:
        return len(self.gold)

    def with_types(self, types: tuple[str, ...]) -> "Tally":
        """The same counts with these columns, which include all types."""
        columns = [types.index(name) for name in self.types]
        parts = []
        for part in self.parts:
            wide = np.zeros((self.documents, len(types)), np.int64)
            wide[:, columns] = part
            parts.append(wide)
        return Tally(types, *parts)

    def __add__(self, other: "Tally") -> "Tally":
        """Counts of the same documents, such as those of another annotator."""
        first, second = align_types(self, other)
        parts = (part + other_part for part, other_part in zip(first.parts, second.parts, strict=True))
        return Tally(first.types, *parts)


def align_types(first: Tally, second: Tally) -> tuple[Tally, Tally]:
    """Both tallies with the types of either, in order of name."""
    types = tuple(sorted({*first.types, *second.types}))
    return first.with_types(types), second.with_types(types)


def count(matching: Matching, gold: SpanTable, predicted: SpanTable, units: Ints | None = None) -> Tally:
    """Count what is scored. Types that don't occur are left out.

    `units` gives each document of the tables its row in the tally, so that several of them can be resampled together,
    such as the layers of one document's annotators. By default every document is a row of its own.
    """
    rows = np.arange(gold.document_count) if units is None else units
    selections = (
        (gold, matching.gold != GoldState.IGNORED),
        (gold, matching.is_matched),
        (predicted, matching.predicted != PredictionState.IGNORED),
        (predicted, matching.is_used),
    )
    parts = [_count_rows(table, rows, selection) for table, selection in selections]
    return _sorted_types(gold.label_names, parts)


def _count_rows(table: SpanTable, units: Ints, is_counted: Bools) -> Ints:
    height, width = int(units.max(initial=-1)) + 1, len(table.label_names)
    cells = units[table.documents[is_counted]] * width + table.labels[is_counted]
    return np.bincount(cells, minlength=height * width).reshape(height, width)


def _sorted_types(names: tuple[str, ...], parts: Iterable[Ints]) -> Tally:
    gold, matched, predicted, used = parts
    occurs = (gold.sum(axis=0) + predicted.sum(axis=0) > 0).tolist()
    columns = sorted((index for index, is_present in enumerate(occurs) if is_present), key=names.__getitem__)
    types = tuple(names[index] for index in columns)
    return Tally(types, gold[:, columns], matched[:, columns], predicted[:, columns], used[:, columns])
