"""Whether the confidence that a model states can be trusted: is it right in 70 % of the cases where it says 70 %?

A prediction is right if its first guess has full credit by our scorer. With bins b of n_b predictions each:

ECE   = Σ_b n_b / n · |share of right ones in b − mean confidence in b|   (10 bins of equal width)
Brier = Σ (confidence − right)² / n
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.inference.resamples import ProfileResamples
from evaluation.inference.settings import Settings
from evaluation.stats.panel import Bools, Floats, Ints

BINS = 10
# The words before the colon are the short form, for table cells.
NOT_STATED = "No confidence: no scored prediction states one."
EMPTY_BIN = "Empty: no prediction states such a confidence."


@dataclass(frozen=True, slots=True)
class StatedConfidence:
    """Of a first guess that names something, from 0 to 1."""

    profile: str
    confidence: float
    is_right: bool


def calibrate(stated: Sequence[StatedConfidence], predictions: int, settings: Settings) -> dict[str, Any]:
    """`predictions` is how many first guesses name something, whether they state a confidence or not."""
    confidence = np.array([item.confidence for item in stated], np.float64)
    is_right = np.array([item.is_right for item in stated], bool)
    resamples = ProfileResamples.of([item.profile for item in stated], settings)
    places = np.minimum((confidence * BINS).astype(np.int64), BINS - 1)
    gaps = np.zeros((len(stated), BINS))
    gaps[np.arange(len(stated)), places] = is_right - confidence
    columns = np.column_stack([np.ones(len(stated)), gaps])
    return {
        "predictions": predictions,
        "stated": len(stated),
        "confidence": resamples.mean(confidence.tolist(), NOT_STATED).as_json(),
        "accuracy": resamples.mean(is_right.tolist(), NOT_STATED).as_json(),
        "ece": resamples.estimate(columns, expected_error, NOT_STATED).as_json(),
        "brier": resamples.mean(((is_right - confidence) ** 2).tolist(), NOT_STATED).as_json(),
        "bins": _bins(confidence, is_right, places, resamples),
        "reason": "" if stated else NOT_STATED,
    }


def expected_error(sums: Floats) -> Floats:
    """From the number of predictions, and the sums of right − confidence in each bin."""
    count, total = sums[:, 0], np.abs(sums[:, 1:]).sum(axis=1)
    return np.where(count > 0, total / np.where(count > 0, count, 1.0), np.nan)


def _bins(confidence: Floats, is_right: Bools, places: Ints, resamples: ProfileResamples) -> list[dict[str, Any]]:
    rows = []
    for place in range(BINS):
        is_here = places == place
        count = int(is_here.sum())
        rows.append({
            "low": place / BINS,
            "high": (place + 1) / BINS,
            "n": count,
            "confidence": float(confidence[is_here].mean()) if count else None,
            "accuracy": resamples.mean(is_right.tolist(), EMPTY_BIN, is_here).as_json(),
        })  # fmt: skip
    return rows
