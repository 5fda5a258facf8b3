"""What the score would be if the variant made no difference, and which gap this run could have seen.

The largest of several differences is never negative, so that chance alone gives a score above 0: the noise floor. It
depends on the number of items and repetitions, and on how steadily the model answers. To find it, the answers that the
model gave to an item are dealt out anew among the variants, again and again: each item keeps its own yes-rate, and
nothing is left but chance.
"""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from evaluation.probes.pairs import PairTest
from evaluation.probes.rates import largest_difference
from evaluation.probes.records import Evaluated
from evaluation.stats.panel import Floats
from evaluation.stats.permutation import deal_all

POWER = 0.8
SIGNIFICANCE = 0.05
NO_ANSWERS = "Too few answers could be read."
NO_CHANGE = "The model answers every item the same way each time, so chance changes nothing."


@dataclass(frozen=True, slots=True)
class NoiseFloor:
    """The score under no difference: mean and 95th percentile. `p` is the share of rounds with at least the observed
    score, which counts itself as one of them."""

    observed: float | None
    mean: float | None
    p95: float | None
    p: float | None
    reason: str = ""

    @property
    def is_exceeded(self) -> bool:
        return self.p is not None and self.p < SIGNIFICANCE

    def as_json(self) -> dict[str, Any]:
        return {
            "observed": self.observed, "mean": self.mean, "p95": self.p95, "p": self.p,
            "is_exceeded": self.is_exceeded, "reason": self.reason,
        }  # fmt: skip


def noise_floors(evaluated: Evaluated, rate: str, rounds: int, seed: int) -> dict[str, NoiseFloor]:
    """Of `max_diff_tpr`, `max_diff_tnr` and the difference in the rate of “yes”."""
    columns, labels = evaluated.stated, evaluated.labels
    yes, sizes = evaluated.yes[:, columns], (evaluated.yes + evaluated.no)[:, columns]
    kinds = {"tpr": labels, "tnr": ~labels, rate: np.ones(len(labels), bool)}
    is_mixed = (yes.sum(axis=1) > 0) & (yes.sum(axis=1) < sizes.sum(axis=1))
    fixed = {kind: yes[rows & ~is_mixed].sum(axis=0) for kind, rows in kinds.items()}
    sums: dict[str, list[Any]] = {kind: [] for kind in kinds}
    for dealt in deal_all(yes[is_mixed], sizes[is_mixed], rounds, np.random.default_rng(seed)):
        for kind, rows in kinds.items():
            sums[kind].append(dealt[:, rows[is_mixed]].sum(axis=1) + fixed[kind])
    return {
        f"max_diff_{kind}": _floor(
            yes[rows].sum(axis=0), np.concatenate(sums[kind] or [np.empty((0, len(columns)))]), sizes[rows].sum(axis=0)
        )
        for kind, rows in kinds.items()
    }


def _floor(observed: Any, dealt: Floats, sizes: Any) -> NoiseFloor:
    if not sizes.all():
        return NoiseFloor(None, None, None, None, NO_ANSWERS)
    score = float(largest_difference(observed / sizes))
    scores = largest_difference(dealt / sizes)
    if not len(scores):
        return NoiseFloor(score, None, None, None, "No permutation rounds were requested.")
    share = (int((scores >= score - 1e-12).sum()) + 1) / (len(scores) + 1)
    return NoiseFloor(score, float(scores.mean()), float(np.quantile(scores, 0.95)), share)


def smallest_gap(tests: list[PairTest]) -> dict[str, Any]:
    """The difference between two variants that this run would have found in 4 of 5 cases.

    By the normal distribution: (z(1 − α / 2k) + z(0.8)) · the largest spread of a difference by chance alone, with
    α = 0.05 and k pairs, as Holm's first step has it.
    """
    spreads = [test.spread for test in tests if test.spread is not None]
    if not spreads:
        return {"value": None, "reason": NO_ANSWERS}
    if not max(spreads):
        return {"value": None, "reason": NO_CHANGE}
    normal = NormalDist()
    reach = normal.inv_cdf(1 - SIGNIFICANCE / (2 * len(tests))) + normal.inv_cdf(POWER)
    return {"value": reach * max(spreads), "reason": ""}
