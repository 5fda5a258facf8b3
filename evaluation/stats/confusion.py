"""Which codes two annotators confuse."""

import numpy as np

from evaluation.stats.panel import Ints
from evaluation.stats.ratings import RatingPairs, Ratings


def confusion_matrix(ratings: Ratings, pairs: RatingPairs) -> Ints:
    """Pairs by their two codes, symmetric: a pair that differs counts in both of its cells."""
    size = ratings.size
    flat = np.bincount(pairs.first_codes * size + pairs.second_codes, minlength=size**2)
    table: Ints = flat.reshape(size, size)
    return table + table.T - np.diag(np.diag(table))


def distant_pairs(pairs: RatingPairs, steps: int = 1) -> int:
    """Count the pairs whose codes are more than so many steps apart."""
    return int((np.abs(pairs.first_codes - pairs.second_codes) > steps).sum())
