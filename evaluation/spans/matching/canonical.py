"""Overlapping pairs in an order that doesn't depend on the order of the files."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluation.spans.matching.outcome import Outcome
from evaluation.spans.matching.pairs import NO_PARTNER, Pairs
from evaluation.spans.tables import Overlaps, SpanTable
from evaluation.stats.panel import Bools, Floats, Ints

UNITS = 1_000_000_000  # IoU is added up in billionths, as whole numbers, whose sum doesn't depend on their order


@dataclass(frozen=True, eq=False)
class CanonicalPairs:
    """Both tables sorted by (document, start, end, label), predictions then by falling score.

    Nothing here depends on label mode or threshold, so a sweep builds it once. The orders give, for each sorted row,
    its row in the table that came in.
    """

    pairs: Pairs
    gold_order: Ints
    predicted_order: Ints

    @classmethod
    def of(cls, gold: SpanTable, predicted: SpanTable, overlaps: Overlaps) -> "CanonicalPairs":
        first, second = canonical_order(gold), canonical_order(predicted)
        tables = gold.rows(first), predicted.rows(second)
        rows = _inverse(first)[overlaps.gold], _inverse(second)[overlaps.predicted]
        order = np.argsort(rows[0] * max(len(predicted), 1) + rows[1])
        return cls(Pairs(rows[0][order], rows[1][order], overlaps.shared[order], *tables), first, second)

    @cached_property
    def iou(self) -> Floats:
        return self.pairs.iou

    @cached_property
    def iou_units(self) -> Ints:
        """IoU in billionths, rounded down. Without floats, so that every machine gets the same."""
        return self.pairs.shared * UNITS // self.pairs.unions

    @cached_property
    def is_duplicate(self) -> Bools:
        """Predictions with the same position and label as the one before, whose score is at least as high."""
        table = self.pairs.predicted_table
        columns = np.stack([table.documents, table.starts, table.ends, table.labels])
        is_equal = (columns[:, 1:] == columns[:, :-1]).all(axis=0)
        return np.concatenate([np.zeros(min(len(table), 1), bool), is_equal])

    def in_order_of_input(self, outcome: Outcome) -> Outcome:
        first, second = _inverse(self.gold_order), _inverse(self.predicted_order)
        rows = np.append(self.predicted_order, NO_PARTNER)[outcome.partners]  # -1 takes the last one
        return Outcome(outcome.gold[first], outcome.predicted[second], rows[first], outcome.relaxed[first])


def canonical_order(table: SpanTable) -> Ints:
    """Rows by document, start, end, label name and falling score; spans without a score last."""
    names = np.array(sorted(range(len(table.label_names)), key=table.label_names.__getitem__), np.int64)
    labels = _inverse(names)[table.labels] if len(table) else table.labels
    columns = (table.documents, table.starts, table.ends - table.starts, labels)
    scores = np.where(np.isnan(table.scores), np.inf, -table.scores)
    key = _packed(columns)
    return np.lexsort((scores, *columns[::-1])) if key is None else _order_by(key, scores)


def _order_by(key: Ints, scores: Floats) -> Ints:
    """Sort by key, and by score where keys are equal, which are few."""
    order = np.argsort(key, kind="stable")
    is_equal = key[order[1:]] == key[order[:-1]]
    is_tied = np.append(is_equal, False) | np.insert(is_equal, 0, False) if len(key) else np.zeros(0, bool)
    members = order[is_tied]
    order[is_tied] = members[np.lexsort((scores[members], key[members]))]
    return order


def _packed(columns: tuple[Ints, ...]) -> Ints | None:
    """One number per row that sorts like the columns, or None if they are too large for 63 bits."""
    key, size = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        low = int(column.min(initial=0))
        width = int(column.max(initial=0)) - low + 1
        size *= width
        if size >= 2**63:
            return None
        key = key * width + (column - low)
    return key


def _inverse(order: Ints) -> Ints:
    inverse = np.empty(len(order), np.int64)
    inverse[order] = np.arange(len(order))
    return inverse
