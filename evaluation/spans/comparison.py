"""Compare two systems on the same gold: differences with intervals and two tests, both over documents."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.spans.scores import UNDEFINED, Average, MetricStatistic
from evaluation.spans.tally import Tally, align_types
from evaluation.stats.bootstrap import Weights
from evaluation.stats.differences import Difference, draw_swaps, p_paired_bootstrap, p_randomisation, paired_difference
from evaluation.stats.estimates import Sums

COMPARED = {
    "micro_f1": MetricStatistic("f1", Average.MICRO),
    "macro_f1": MetricStatistic("f1", Average.MACRO),
    "recall": MetricStatistic("recall", Average.MICRO),
    "precision": MetricStatistic("precision", Average.MICRO),
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first system minus the second."""

    first: str
    second: str
    metric: str
    difference: Difference

    def as_json(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "second": self.second,
            "metric": self.metric,
            "difference": self.difference.estimate.as_json(),
            "p_bootstrap": self.difference.p_bootstrap,
            "p_randomisation": self.difference.p_randomisation,
        }


def compare(
    first: tuple[str, Tally], second: tuple[str, Tally], weights: Weights, rng: np.random.Generator
) -> list[Comparison]:
    """Compare two named systems by their tallies of the same documents, in the same order."""
    left, right = align_types(first[1], second[1])
    tables = left.table.astype(np.float64), right.table.astype(np.float64)
    sums = Sums.of(tables[0], weights), Sums.of(tables[1], weights)
    swaps = draw_swaps(left.documents, len(weights), rng)
    documents = int((tables[0] + tables[1]).any(axis=1).sum())

    def difference(statistic: MetricStatistic) -> Difference:
        values = paired_difference(*sums, statistic)
        estimate = values.estimate(documents, UNDEFINED[statistic.metric])
        return Difference(estimate, p_paired_bootstrap(values), p_randomisation(*tables, statistic, swaps))

    return [Comparison(first[0], second[0], name, difference(statistic)) for name, statistic in COMPARED.items()]
