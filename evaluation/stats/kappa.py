"""Cohen's kappa, for two annotators and for more.

For exactly two annotators this is Cohen (1960), and with quadratic weights Cohen (1968): chance agreement comes from
each annotator's own shares of the codes, over the profiles that both judged.

For more annotators it is Conger (1980), who averages observed and chance agreement over all pairs of annotators,
extended to profiles that not everybody judged. Observed is the share of agreeing pairs among all pairs of ratings of
the same profile. Expected is the probability that two ratings by different annotators, drawn from all comparable ones,
have the same code:

    kappa = (observed - expected) / (1 - expected)
    expected = sum over annotators a ≠ b of c(a) · c(b)  /  sum over annotators a ≠ b of n(a) n(b)

where c(a) is how often a used each code and n(a) the number of a's ratings. If everybody judged everything, this is
Conger's kappa, and with two annotators Cohen's. With quadratic weights, two codes c and k out of K agree by
1 - (c - k)² / (K - 1)².
"""

import numpy as np

from evaluation.stats.bootstrap import Counts, Sample
from evaluation.stats.marginals import Marginals
from evaluation.stats.metric import Ratio
from evaluation.stats.panel import Floats
from evaluation.stats.ratings import RatingPairs, Ratings


class PlainKappa:
    def __init__(self, ratings: Ratings, pairs: RatingPairs, marginals: Marginals) -> None:
        equal = pairs.rows[pairs.first_codes == pairs.second_codes]
        rows = np.concatenate([pairs.rows, equal])
        columns = np.repeat([0, 1], [len(pairs.rows), len(equal)])
        self.pairs, self.marginals = Counts(rows, columns, np.ones(len(rows)), marginals.profile_count, 2), marginals

    def ratio(self, sample: Sample) -> Ratio:
        pairs, agreeing = sample.sum(self.pairs).T
        squares = self.marginals.square_sums(sample)
        different_annotators = squares.total**2 - squares.by_annotator
        expected = pairs * _share(squares.by_code - squares.by_both, different_annotators)
        return Ratio(agreeing - expected, pairs - expected)


class QuadraticKappa:
    def __init__(self, ratings: Ratings, pairs: RatingPairs, marginals: Marginals) -> None:
        steps = np.arange(ratings.size) / max(ratings.size - 1, 1)
        distances = (steps[pairs.first_codes] - steps[pairs.second_codes]) ** 2
        amounts = np.concatenate([np.ones_like(distances), distances])
        columns = np.repeat([0, 1], len(distances))
        self.pairs = Counts(np.tile(pairs.rows, 2), columns, amounts, marginals.profile_count, 2)
        self.marginals = marginals
        self.steps, self.squared_steps = (_by_annotator(marginals, steps**power) for power in (1, 2))

    def ratio(self, sample: Sample) -> Ratio:
        """With squared distances: (expected - observed) / expected."""
        pairs, observed = sample.sum(self.pairs).T
        counts, steps, squared_steps = (
            sample.sum(sums) for sums in (self.marginals.by_annotator, self.steps, self.squared_steps)
        )
        distances = 2 * (_across(counts, squared_steps) - _across(steps, steps))
        expected = pairs * _share(distances, _across(counts, counts))
        return Ratio(expected - observed, expected)


def _by_annotator(marginals: Marginals, steps: Floats) -> Counts:
    width = marginals.annotator_count
    return Counts(marginals.rows, marginals.annotators, steps[marginals.codes], marginals.profile_count, width)


def _across(left: Floats, right: Floats) -> Floats:
    """The sum over annotators a ≠ b of left(a) · right(b)."""
    products: Floats = left.sum(axis=1) * right.sum(axis=1) - (left * right).sum(axis=1)
    return products


def _share(part: Floats, whole: Floats) -> Floats:
    return part / np.maximum(whole, 1)
