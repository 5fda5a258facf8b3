"""Percent agreement: the share of agreeing pairs among all pairs of ratings of the same profile."""

import numpy as np

from evaluation.stats.bootstrap import Counts, Sample
from evaluation.stats.marginals import Marginals
from evaluation.stats.metric import Ratio
from evaluation.stats.ratings import RatingPairs, Ratings, agreeing_pairs


class Percent:
    """Every pair has the same weight: a profile with five annotators counts ten pairs, one with two counts one."""

    def __init__(self, ratings: Ratings, pairs: RatingPairs, marginals: Marginals) -> None:
        agreeing = pairs.rows[agreeing_pairs(ratings, pairs)]
        rows, columns = np.concatenate([pairs.rows, agreeing]), np.repeat([0, 1], [len(pairs.rows), len(agreeing)])
        self.pairs = Counts(rows, columns, np.ones(len(rows)), marginals.profile_count, 2)

    def ratio(self, sample: Sample) -> Ratio:
        pairs, agreeing = sample.sum(self.pairs).T
        return Ratio(agreeing, pairs)
