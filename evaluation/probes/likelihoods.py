"""The log-probability mode: differences of P(yes) − P(no) between variants. Nothing is drawn, so only items vary."""

from itertools import combinations
from typing import Any

import numpy as np

from evaluation.probes.rates import divide
from evaluation.probes.records import Evaluated
from evaluation.stats.bootstrap import Weights
from evaluation.stats.differences import draw_swaps, p_randomisation
from evaluation.stats.estimates import Sums
from evaluation.stats.paired_tests import holm
from evaluation.stats.panel import Floats

NO_SCORES = "The endpoint returned no probability of yes or no."


def compare_likelihoods(evaluated: Evaluated, weights: Weights, rounds: int, seed: int) -> dict[str, Any] | None:
    """Means by variant, and signed differences over items that have both. None unless scores were asked for."""
    if evaluated.scores is None:
        return None
    swaps = draw_swaps(len(evaluated.items), rounds, np.random.default_rng(seed))
    pairs = list(combinations(range(len(evaluated.variants)), 2))
    rows = [_compare(evaluated, pair, weights, swaps) for pair in pairs]
    for row, corrected in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = corrected
    return {"means": _means(evaluated), "pairs": rows}


def _compare(evaluated: Evaluated, pair: tuple[int, int], weights: Weights, swaps: Any) -> dict[str, Any]:
    scores = np.asarray(evaluated.scores)[:, list(pair)]
    is_scored = ~np.isnan(scores).any(axis=1)
    tables = [np.column_stack([is_scored, np.where(is_scored, scores[:, at], 0.0)]).astype(np.float64) for at in (0, 1)]
    values = Sums.of(tables[0], weights).apply(_mean) - Sums.of(tables[1], weights).apply(_mean)
    estimate = values.estimate(int(is_scored.sum()), NO_SCORES, "item")
    first, second = (evaluated.variants[at].name for at in pair)
    p = p_randomisation(tables[0], tables[1], _mean, swaps) if is_scored.any() else None
    return {"first": first, "second": second, "difference": estimate.as_json(), "p": p}


def _mean(sums: Floats) -> Floats:
    return divide(sums[:, 1], sums[:, 0])


def _means(evaluated: Evaluated) -> dict[str, float | None]:
    columns = np.asarray(evaluated.scores).T
    defined = [column[~np.isnan(column)] for column in columns]
    pairs = zip(evaluated.variants, defined, strict=True)
    return {variant.name: float(values.mean()) if len(values) else None for variant, values in pairs}
