"""Pairs of a gold and a predicted span that may match, and what they have in common."""

from dataclasses import dataclass

import numpy as np

from evaluation.spans.labels import LabelMode, LabelScheme
from evaluation.spans.tables import Overlaps, SpanTable
from evaluation.stats.panel import Bools, Floats, Ints, factorize

NO_PARTNER = -1


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Overlapping spans of two tables, sorted by gold row, then by predicted row."""

    gold: Ints
    predicted: Ints
    shared: Ints
    gold_table: SpanTable
    predicted_table: SpanTable

    @classmethod
    def of(cls, gold: SpanTable, predicted: SpanTable, overlaps: Overlaps) -> "Pairs":
        return cls(overlaps.gold, overlaps.predicted, overlaps.shared, gold, predicted)

    def __len__(self) -> int:
        return len(self.gold)

    def where(self, condition: Bools) -> "Pairs":
        first, second, shared = self.gold[condition], self.predicted[condition], self.shared[condition]
        return Pairs(first, second, shared, self.gold_table, self.predicted_table)

    @property
    def gold_lengths(self) -> Ints:
        return self.gold_table.lengths[self.gold]

    @property
    def predicted_lengths(self) -> Ints:
        return self.predicted_table.lengths[self.predicted]

    @property
    def unions(self) -> Ints:
        return self.gold_lengths + self.predicted_lengths - self.shared

    @property
    def iou(self) -> Floats:
        """Intersection over union: shared characters as a share of all characters of both spans."""
        return self.shared / self.unions

    @property
    def have_equal_labels(self) -> Bools:
        return np.equal(self.gold_table.labels[self.gold], self.predicted_table.labels[self.predicted])

    def compatible(self, scheme: LabelScheme, mode: LabelMode) -> Bools:
        """Which pairs have labels that may match. Asks the scheme once for each two labels that meet."""
        names = self.gold_table.label_names
        codes = self.gold_table.labels[self.gold] * len(names) + self.predicted_table.labels[self.predicted]
        distinct, indices = factorize(codes)
        meetings = (divmod(code, len(names)) for code in distinct.tolist())
        answers = [scheme.compatible(names[first], names[second], mode) for first, second in meetings]
        return np.array(answers, bool)[indices]

    def merged_count(self, threshold: float) -> int:
        """How many predictions cover at least this share of two or more gold spans."""
        is_covered = self.shared / self.gold_lengths >= threshold
        covered = np.bincount(self.predicted[is_covered], minlength=len(self.predicted_table))
        return int((covered >= 2).sum())


def degrees(rows: Ints) -> Ints:
    """For each pair, count the pairs in its row."""
    return np.bincount(rows)[rows] if len(rows) else rows


def largest_by_row(rows: Ints, values: Ints) -> Ints:
    """For each pair, the largest value in its row."""
    largest = np.zeros(int(rows.max(initial=-1)) + 1, np.int64)
    np.maximum.at(largest, rows, values)
    return largest[rows]


def has_label_in(table: SpanTable, labels: frozenset[str]) -> Bools:
    """Which rows have one of these labels."""
    is_member = np.array([name in labels for name in table.label_names], bool)
    return is_member[table.labels] if len(table) else np.zeros(0, bool)
