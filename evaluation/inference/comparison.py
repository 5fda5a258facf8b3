"""Compare two models on the same labels: differences with intervals and two tests, both over profiles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.inference.outcomes import TOPS, Outcomes
from evaluation.inference.scores import HALF, UNDEFINED, TopStatistic
from evaluation.stats.bootstrap import Weights
from evaluation.stats.differences import (
    Difference,
    draw_swaps,
    holm,
    p_paired_bootstrap,
    p_randomisation,
    paired_difference,
)
from evaluation.stats.estimates import Sums

COMPARED = {f"top{top}": TopStatistic(top) for top in TOPS} | {
    f"top{top}-half": TopStatistic(top, HALF) for top in TOPS
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first model minus the second, on `n` cases that both have."""

    metric: str
    n: int
    difference: Difference

    def as_json(self) -> dict[str, Any]:
        return {
            "metric": self.metric,
            "n": self.n,
            "difference": self.difference.estimate.as_json(),
            "p_bootstrap": self.difference.p_bootstrap,
            "p_randomisation": self.difference.p_randomisation,
        }


def compare(first: Outcomes, second: Outcomes, weights: Weights, rng: np.random.Generator) -> Sequence[Comparison]:
    """Both have the same cases in the same order; what either doesn't score is left out."""
    is_shared = first.is_scored & second.is_scored
    tables = first.table(is_shared), second.table(is_shared)
    sums = Sums.of(tables[0], weights), Sums.of(tables[1], weights)
    swaps = draw_swaps(first.unit_count, len(weights), rng)
    profiles = int((tables[0][:, 0] > 0).sum())

    def difference(statistic: TopStatistic) -> Difference:
        values = paired_difference(*sums, statistic)
        estimate = values.estimate(profiles, UNDEFINED, "profile")
        return Difference(estimate, p_paired_bootstrap(values), p_randomisation(*tables, statistic, swaps))

    count = int(is_shared.sum())
    return [Comparison(name, count, difference(statistic)) for name, statistic in COMPARED.items()]


TESTS = ("p_bootstrap", "p_randomisation")


def correct_p_values(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Add p-values after Holm's correction. A family are all tests of one kind by one scorer: `tests` of them."""
    corrected = [dict(row) for row in rows]
    for scorer in {row["scorer"]: None for row in corrected}:
        family = [row for row in corrected if row["scorer"] == scorer]
        for test in TESTS:
            for row, value in zip(family, holm([row[test] for row in family]), strict=True):
                row[f"{test}_holm"] = value
        for row in family:
            row["tests"] = sum(row["p_bootstrap"] is not None for row in family)
    return corrected
