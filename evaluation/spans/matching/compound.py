"""Gold spans that several predictions cover together."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

import numpy as np

from evaluation.spans.matching.pairs import Pairs, degrees
from evaluation.stats.panel import Bools

Row = tuple[int, int, int, int, int, int, int]  # index, gold row, predicted row, gold and predicted start and end


def find_compounds(pairs: Pairs, threshold: float) -> Bools:
    """Which pairs of open spans make a compound match. Gold spans take turns in canonical order.

    A gold span and the union of its open predictions match if the characters they share are at least the threshold's
    share of both. A single prediction is enough: it may overlap too little for IoU and still satisfy both.
    """
    is_part = np.zeros(len(pairs), bool)
    hopeful = np.flatnonzero(_may_match(pairs, threshold))
    is_part[list(_take_turns(pairs, hopeful, threshold))] = True
    return is_part


def _may_match(pairs: Pairs, threshold: float) -> Bools:
    """Leave out gold spans that can't reach the threshold even with all their predictions: nearly all of them.

    Shared characters only become fewer when predictions are taken, and a single prediction is the union itself.
    """
    if not len(pairs):
        return np.zeros(0, bool)
    totals = np.bincount(pairs.gold, pairs.shared)[pairs.gold]
    is_covered = totals / pairs.gold_lengths >= threshold
    return is_covered & ((degrees(pairs.gold) > 1) | (pairs.shared / pairs.predicted_lengths >= threshold))


def _take_turns(pairs: Pairs, indices: np.ndarray, threshold: float) -> Iterator[int]:
    gold, predicted = pairs.gold[indices], pairs.predicted[indices]
    first, second = pairs.gold_table, pairs.predicted_table
    columns = (
        indices, gold, predicted, first.starts[gold], first.ends[gold], second.starts[predicted], second.ends[predicted]
    )  # fmt: skip
    used: set[int] = set()
    for _, of_gold in groupby(zip(*(column.tolist() for column in columns), strict=True), key=itemgetter(1)):
        free = [row for row in of_gold if row[2] not in used]
        if free and _cover_each_other(free, threshold):
            used.update(row[2] for row in free)
            yield from (row[0] for row in free)


def _cover_each_other(rows: list[Row], threshold: float) -> bool:
    """Whether the union of the predictions, sorted by start, and the gold span share enough of both."""
    _, _, _, start, end, *_ = rows[0]
    shared = union = 0
    reached = rows[0][5]
    for row in rows:
        begin = max(row[5], reached)
        if row[6] > begin:
            union += row[6] - begin
            shared += max(min(row[6], end) - max(begin, start), 0)
            reached = row[6]
    return shared / (end - start) >= threshold and shared / union >= threshold
