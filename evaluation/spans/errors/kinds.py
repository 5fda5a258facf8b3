"""Sort everything that isn't a perfect match into four kinds of errors."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from evaluation.spans.matching import GoldState, Matching, PredictionState
from evaluation.spans.tables import Overlaps, SpanTable
from evaluation.stats.panel import Bools, Floats, Ints

NOTHING = -1


class ErrorKind(StrEnum):
    MISSED = "missed"  # gold that no prediction explains
    SPURIOUS = "spurious"  # a prediction that no gold explains
    WRONG_TYPE = "wrong_type"  # the same place under another label
    BOUNDARY = "boundary"  # the same label, but not the same start and end


@dataclass(frozen=True, slots=True, eq=False)
class ErrorRows:
    """Errors of one kind: the row of the gold span and of the prediction, NOTHING where there is none."""

    gold: Ints
    predicted: Ints
    iou: Floats

    def __len__(self) -> int:
        return len(self.gold)


def sort_errors(
    gold: SpanTable, predicted: SpanTable, overlaps: Overlaps, matching: Matching, threshold: float
) -> dict[ErrorKind, ErrorRows]:
    """Classify by a matching with strict labels.

    A missed gold span and a spurious prediction that overlap are one error: a boundary error if they have the same
    label, a wrong type if they have another one and their IoU reaches the threshold. The largest IoU goes first, and
    each span is part of one such pair at most. Matches with other boundaries are boundary errors, too.
    """
    iou = overlaps.shared / (gold.lengths[overlaps.gold] + predicted.lengths[overlaps.predicted] - overlaps.shared)
    is_missed, is_spurious = matching.gold == GoldState.MISSED, matching.predicted == PredictionState.SPURIOUS
    same_label = np.equal(gold.labels[overlaps.gold], predicted.labels[overlaps.predicted])
    is_open = is_missed[overlaps.gold] & is_spurious[overlaps.predicted] & (same_label | (iou >= threshold))
    pairs = _pair_up(overlaps, iou, np.flatnonzero(is_open))
    is_missed[overlaps.gold[pairs]] = is_spurious[overlaps.predicted[pairs]] = False
    inexact = _inexact(gold, predicted, overlaps, matching)
    return {
        ErrorKind.MISSED: _alone(np.flatnonzero(is_missed), is_gold=True),
        ErrorKind.SPURIOUS: _alone(np.flatnonzero(is_spurious), is_gold=False),
        ErrorKind.WRONG_TYPE: _pairs(overlaps, iou, pairs[~same_label[pairs]]),
        ErrorKind.BOUNDARY: _pairs(overlaps, iou, np.sort(np.concatenate([pairs[same_label[pairs]], inexact]))),
    }


def _pair_up(overlaps: Overlaps, iou: Floats, pairs: Ints) -> Ints:
    """Take pairs by falling IoU, each span once."""
    order = pairs[np.argsort(-iou[pairs], kind="stable")]
    golds: set[int] = set()
    predictions: set[int] = set()
    chosen = []
    rows = zip(order.tolist(), overlaps.gold[order].tolist(), overlaps.predicted[order].tolist(), strict=True)
    for pair, gold, prediction in rows:
        if gold not in golds and prediction not in predictions:
            golds.add(gold)
            predictions.add(prediction)
            chosen.append(pair)
    return np.sort(np.array(chosen, np.int64))


def _inexact(gold: SpanTable, predicted: SpanTable, overlaps: Overlaps, matching: Matching) -> Ints:
    """The pairs of matched spans, with their first partner, that don't have the same start and end."""
    is_match: Bools = np.equal(matching.partners[overlaps.gold], overlaps.predicted)
    starts = np.not_equal(gold.starts[overlaps.gold], predicted.starts[overlaps.predicted])
    ends = np.not_equal(gold.ends[overlaps.gold], predicted.ends[overlaps.predicted])
    return np.flatnonzero(is_match & (starts | ends))


def _alone(rows: Ints, *, is_gold: bool) -> ErrorRows:
    nothing = np.full(len(rows), NOTHING)
    sides = (rows, nothing) if is_gold else (nothing, rows)
    return ErrorRows(sides[0], sides[1], np.zeros(len(rows)))


def _pairs(overlaps: Overlaps, iou: Floats, pairs: Ints) -> ErrorRows:
    return ErrorRows(overlaps.gold[pairs], overlaps.predicted[pairs], iou[pairs])
