"""Compare two models on the same labels: differences with intervals and two tests, both over profiles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.inference.outcomes import TOPS, Outcomes
from evaluation.inference.scores import HALF, UNDEFINED, TopStatistic
from evaluation.stats.bootstrap import Weights
from evaluation.stats.differences import Difference, draw_swaps, p_paired_bootstrap, p_randomisation, paired_difference
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
