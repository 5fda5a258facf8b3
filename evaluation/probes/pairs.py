"""Signed differences between two variants: with intervals, a permutation test within items, and McNemar's test."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from evaluation.probes.rates import divide
from evaluation.probes.records import Evaluated
from evaluation.stats.bootstrap import Weights
from evaluation.stats.differences import p_value
from evaluation.stats.estimates import Estimate, Sums
from evaluation.stats.paired_tests import holm, mcnemar_exact
from evaluation.stats.panel import Floats, Ints
from evaluation.stats.permutation import deal_pair

NO_ANSWERS = "None of the answers of one of the two could be read."


@dataclass(frozen=True, slots=True)
class PairTest:
    """How often the first variant is answered with “yes”, minus the second.

    `p` counts how often the difference is as large when the answers of each item are dealt out anew among the two.
    `first_only` and `second_only` are items whose majority of answers is “yes” for one of them only. `spread` is the
    standard deviation of the difference if there is none but chance.
    """

    first: str
    second: str
    difference: Estimate
    p: float | None
    p_holm: float | None
    first_only: int
    second_only: int
    p_mcnemar: float
    p_mcnemar_holm: float | None
    spread: float | None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def compare_pairs(
    evaluated: Evaluated, pairs: Sequence[tuple[int, int]], weights: Weights, rounds: int, seed: int
) -> list[PairTest]:
    """Both p-values are corrected for the number of pairs (Holm)."""
    rng = np.random.default_rng(seed)
    spreads = [_shuffled(evaluated, pair, rounds, rng) for pair in pairs]
    p_values = [p_value(_difference(evaluated, pair), spread) for pair, spread in zip(pairs, spreads, strict=True)]
    changes = [_changes(evaluated, pair) for pair in pairs]
    mcnemar = [mcnemar_exact(*change) for change in changes]
    rows = zip(pairs, spreads, p_values, holm(p_values), changes, mcnemar, holm(mcnemar), strict=True)
    return [
        PairTest(
            evaluated.variants[pair[0]].name, evaluated.variants[pair[1]].name, _estimate(evaluated, pair, weights),
            p, p_holm, change[0], change[1], exact, exact_holm, float(spread.std()) if len(spread) else None,
        )
        for pair, spread, p, p_holm, change, exact, exact_holm in rows
    ]  # fmt: skip


def stated_pairs(evaluated: Evaluated) -> list[tuple[int, int]]:
    return list(combinations(evaluated.stated, 2))


def control_pairs(evaluated: Evaluated) -> list[tuple[int, int]]:
    """Each variant that states something, against the control."""
    return [] if evaluated.control is None else [(column, evaluated.control) for column in evaluated.stated]


def majorities(evaluated: Evaluated) -> Ints:
    """By item and variant: 1 if most answers are “yes”, −1 if most are “no”, 0 for a tie or none."""
    return np.asarray(np.sign(evaluated.yes - evaluated.no))


def _counts(evaluated: Evaluated, pair: tuple[int, int]) -> tuple[Ints, Ints]:
    columns = list(pair)
    return evaluated.yes[:, columns], (evaluated.yes + evaluated.no)[:, columns]


def _difference(evaluated: Evaluated, pair: tuple[int, int]) -> float:
    yes, sizes = (counts.sum(axis=0) for counts in _counts(evaluated, pair))
    return float(yes[0] / sizes[0] - yes[1] / sizes[1]) if sizes.all() else float("nan")


def _shuffled(evaluated: Evaluated, pair: tuple[int, int], rounds: int, rng: np.random.Generator) -> Floats:
    """The difference in each round of dealing."""
    yes, sizes = _counts(evaluated, pair)
    totals = sizes.sum(axis=0)
    if not totals.all():
        return np.empty(0)
    first = deal_pair(yes, sizes, rounds, rng)
    return np.asarray(first / totals[0] - (yes.sum() - first) / totals[1])


def _changes(evaluated: Evaluated, pair: tuple[int, int]) -> tuple[int, int]:
    first, second = majorities(evaluated)[:, list(pair)].T
    return int(((first > 0) & (second < 0)).sum()), int(((first < 0) & (second > 0)).sum())


def _estimate(evaluated: Evaluated, pair: tuple[int, int], weights: Weights) -> Estimate:
    yes, sizes = _counts(evaluated, pair)
    sums = Sums.of(np.column_stack([yes, sizes]).astype(np.float64), weights)
    values = sums.apply(lambda rows: divide(rows[:, 0], rows[:, 2]) - divide(rows[:, 1], rows[:, 3]))
    return values.estimate(int((sizes.sum(axis=1) > 0).sum()), NO_ANSWERS, "item")
