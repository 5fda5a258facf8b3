"""The agreement metrics by name, and ratings prepared for them."""

from collections.abc import Iterable, Mapping

import numpy as np

from evaluation.stats.alpha import IntervalAlpha, NominalAlpha, OrdinalAlpha
from evaluation.stats.kappa import PlainKappa, QuadraticKappa
from evaluation.stats.marginals import Marginals
from evaluation.stats.metric import Metric, MetricName
from evaluation.stats.panel import Panel
from evaluation.stats.percent import Percent
from evaluation.stats.ratings import Ratings, rating_pairs

MetricClass = type[Percent | PlainKappa | QuadraticKappa | NominalAlpha | OrdinalAlpha | IntervalAlpha]

METRICS: Mapping[MetricName, MetricClass] = {
    MetricName.PERCENT: Percent,
    MetricName.KAPPA: PlainKappa,
    MetricName.KAPPA_QUADRATIC: QuadraticKappa,
    MetricName.ALPHA_NOMINAL: NominalAlpha,
    MetricName.ALPHA_ORDINAL: OrdinalAlpha,
    MetricName.ALPHA_INTERVAL: IntervalAlpha,
}


class PreparedRatings:
    """Ratings with the pairs and marginals that their metrics share."""

    def __init__(self, ratings: Ratings, panel: Panel) -> None:
        self.ratings = ratings
        self.pairs = rating_pairs(panel, ratings)
        self.marginals = Marginals(ratings, panel)

    def metric(self, name: MetricName) -> Metric:
        return METRICS[name](self.ratings, self.pairs, self.marginals)

    @property
    def profile_count(self) -> int:
        return int(np.count_nonzero(np.bincount(self.pairs.rows)))

    @property
    def pair_count(self) -> int:
        return len(self.pairs.rows)


def prepare(panel: Panel, ratings: Iterable[Ratings]) -> dict[int, PreparedRatings]:
    """Prepared ratings by the `id` of the ratings, because several metrics may share them."""
    return {key: PreparedRatings(member, panel) for key, member in {id(member): member for member in ratings}.items()}
