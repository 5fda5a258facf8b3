"""Krippendorff's alpha, for any number of annotators and with missing ratings.

    alpha = 1 - observed / expected disagreement

Each profile with m ≥ 2 ratings contributes coincidences as defined by Krippendorff (2011): every ordered pair of its
ratings has the weight 1 / (m - 1), so that each rating has the weight 1. Expected disagreement comes from all of these
ratings, whoever gave them. The squared distance between two codes is 0 or 1 (nominal), the squared difference between
their mid-ranks among all ratings (ordinal), or the squared difference between the numbers behind them (interval).

Ranks are shares of all ratings, so that the disagreements of several attributes can be added.
"""

import numpy as np

from evaluation.stats.bootstrap import Counts, Sample
from evaluation.stats.marginals import Marginals
from evaluation.stats.metric import Ratio
from evaluation.stats.panel import Floats
from evaluation.stats.ratings import RatingPairs, Ratings


class NominalAlpha:
    def __init__(self, ratings: Ratings, pairs: RatingPairs, marginals: Marginals) -> None:
        differ = pairs.first_codes != pairs.second_codes
        rows = pairs.rows[differ]
        amounts = 2 * pairs.weights[differ]
        self.disagreements = Counts(rows, np.zeros_like(rows), amounts, marginals.profile_count, 1)
        self.marginals = marginals

    def ratio(self, sample: Sample) -> Ratio:
        squares = self.marginals.square_sums(sample)
        expected = (squares.total**2 - squares.by_code) / np.maximum(squares.total - 1, 1)
        return _ratio(sample.sum(self.disagreements)[:, 0], expected)


class OrdinalAlpha:
    """Ranks change with every resample, so keep coincidences by pair of codes."""

    def __init__(self, ratings: Ratings, pairs: RatingPairs, marginals: Marginals) -> None:
        low = np.minimum(pairs.first_codes, pairs.second_codes)
        high = np.maximum(pairs.first_codes, pairs.second_codes)
        self.lower, self.upper = np.triu_indices(ratings.size, 1)
        columns = np.zeros((ratings.size, ratings.size), np.int64)
        columns[self.lower, self.upper] = np.arange(len(self.lower))
        differ = low < high
        rows, columns = pairs.rows[differ], columns[low, high][differ]
        amounts = 2 * pairs.weights[differ]
        self.coincidences = Counts(rows, columns, amounts, marginals.profile_count, len(self.lower))
        self.marginals = marginals

    def ratio(self, sample: Sample) -> Ratio:
        counts = sample.sum(self.marginals.by_code)
        total = np.maximum(counts.sum(axis=1), 1)
        ranks = (np.cumsum(counts, axis=1) - counts / 2) / total[:, None]
        distances = (ranks[:, self.lower] - ranks[:, self.upper]) ** 2
        observed = (sample.sum(self.coincidences) * distances).sum(axis=1)
        return _ratio(observed, _expected(total, (counts * ranks).sum(axis=1), (counts * ranks**2).sum(axis=1)))


class IntervalAlpha:
    def __init__(self, ratings: Ratings, pairs: RatingPairs, marginals: Marginals) -> None:
        if ratings.values is None:
            raise ValueError("An interval metric needs the numbers behind the codes.")
        centre = ratings.values[marginals.codes].sum() / max(len(marginals.codes), 1)
        centred = ratings.values - centre  # keeps squares small, so that sums stay exact enough
        values = centred[marginals.codes]
        powers, columns = np.stack([np.ones_like(values), values, values**2]), np.repeat([0, 1, 2], len(values))
        self.sums = Counts(np.tile(marginals.rows, 3), columns, powers.ravel(), marginals.profile_count, 3)
        distances = 2 * pairs.weights * (centred[pairs.first_codes] - centred[pairs.second_codes]) ** 2
        self.distances = Counts(pairs.rows, np.zeros_like(pairs.rows), distances, marginals.profile_count, 1)

    def ratio(self, sample: Sample) -> Ratio:
        return _ratio(sample.sum(self.distances)[:, 0], _expected(*sample.sum(self.sums).T))


def _ratio(observed: Floats, expected: Floats) -> Ratio:
    return Ratio(expected - observed, expected)


def _expected(count: Floats, total: Floats, squares: Floats) -> Floats:
    """The sum of squared differences over all ordered pairs of ratings, divided by the number of ratings less one."""
    return 2 * (count * squares - total**2) / np.maximum(count - 1, 1)
