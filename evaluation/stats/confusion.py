"""Which codes annotators confuse."""

import numpy as np

from evaluation.stats.panel import Ints
from evaluation.stats.ratings import RatingPairs, Ratings


def confusion_matrix(ratings: Ratings, pairs: RatingPairs) -> Ints:
    """Number of pairs by their two codes. Symmetric: a pair with different codes counts in both cells."""
    size = ratings.size
    flat = np.bincount(pairs.first_codes * size + pairs.second_codes, minlength=size**2)
    table: Ints = flat.reshape(size, size)
    return table + table.T - np.diag(np.diag(table))


def distant_pairs(pairs: RatingPairs, steps: int = 1) -> int:
    """Count the pairs whose codes are more than `steps` apart."""
    return int((np.abs(pairs.first_codes - pairs.second_codes) > steps).sum())
