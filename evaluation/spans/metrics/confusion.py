"""Which label is taken for which: gold labels against predicted ones, of spans matched whatever their labels."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evaluation.spans.labels import LabelMode, LabelScheme
from evaluation.spans.matching import GoldState, MatchRule, PredictionState, match
from evaluation.spans.tables import Overlaps, SpanTable


@dataclass(frozen=True, slots=True)
class Confusion:
    """`rows[gold][predicted]`, in the order of `labels`. The last row counts spurious predictions, the last column
    missed gold spans. A gold span that several predictions cover together counts once, under the first one's label."""

    labels: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]

    def as_json(self) -> dict[str, Any]:
        return {"labels": list(self.labels), "rows": [list(row) for row in self.rows]}


def count_confusion(
    gold: SpanTable, predicted: SpanTable, overlaps: Overlaps, scheme: LabelScheme, rule: MatchRule
) -> Confusion:
    """Match by `rule`, but whatever the labels."""
    matching = match(gold, predicted, overlaps, scheme, replace(rule, labels=LabelMode.ANY))
    nothing = len(gold.label_names)
    is_missed, is_matched = matching.gold == GoldState.MISSED, matching.is_matched
    spurious = predicted.labels[matching.predicted == PredictionState.SPURIOUS]
    partners = predicted.labels[matching.partners[is_matched]]
    first = np.concatenate([gold.labels[is_matched], gold.labels[is_missed], np.full(len(spurious), nothing)])
    second = np.concatenate([partners, np.full(int(is_missed.sum()), nothing), spurious])
    width = nothing + 1
    table = np.bincount(first * width + second, minlength=width * width).reshape(width, width)
    return _sort(table, gold.label_names)


def _sort(table: np.ndarray[Any, np.dtype[np.int64]], names: tuple[str, ...]) -> Confusion:
    """Labels in order, without those that don't occur; what isn't a label stays last."""
    occurs = table.sum(axis=0) + table.sum(axis=1) > 0
    labels = sorted((index for index in range(len(names)) if occurs[index]), key=names.__getitem__)
    order = [*labels, len(names)]
    rows = table[np.ix_(order, order)].tolist()
    return Confusion(tuple(names[index] for index in labels), tuple(tuple(row) for row in rows))
