"""Ratings of one aspect, laid out on a panel, and the pairs that can be compared."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evaluation.stats.panel import MISSING, Bools, Floats, Ints, Panel


@dataclass(frozen=True, slots=True)
class Ratings:
    """Codes from 0 to `size` - 1 in the shape of the panel, or MISSING.

    Ordinal metrics use the order of the codes, interval metrics the number in `values` for each code.
    `equivalent` says which codes agree if more than equal codes do; it is symmetric.
    """

    codes: Ints
    size: int
    values: Floats | None = None
    equivalent: Bools | None = None


@dataclass(frozen=True, slots=True)
class RatingPairs:
    """All pairs of ratings of the same profile as flat arrays: the profile's row, the two annotators, the two codes.

    `weights` is 1 / (m - 1) for a profile with m ratings, so that each rating counts once, however many pairs it is in.
    """

    rows: Ints
    first: Ints
    second: Ints
    first_codes: Ints
    second_codes: Ints
    weights: Floats


def rating_pairs(panel: Panel, ratings: Ratings) -> RatingPairs:
    """The annotator with the lower index comes first in each pair."""
    codes, is_rated = ratings.codes, ratings.codes != MISSING
    weights = 1 / np.maximum(is_rated.sum(axis=1) - 1, 1)
    pairs = [
        (rows, panel.annotators[rows, a], panel.annotators[rows, b], codes[rows, a], codes[rows, b])
        for a, b in combinations(range(panel.annotators.shape[1]), 2)
        for rows in [np.flatnonzero(is_rated[:, a] & is_rated[:, b])]
    ]
    flat = [np.concatenate([*column]) for column in zip(*pairs, strict=True)] or [np.empty(0, np.int64)] * 5
    return RatingPairs(flat[0], flat[1], flat[2], flat[3], flat[4], weights[flat[0]])


def agreeing_pairs(ratings: Ratings, pairs: RatingPairs) -> Bools:
    if ratings.equivalent is None:
        same: Bools = pairs.first_codes == pairs.second_codes
        return same
    return ratings.equivalent[pairs.first_codes, pairs.second_codes]


def comparable_ratings(ratings: Ratings) -> tuple[Ints, Ints]:
    """Row and column of each rating whose profile has another one."""
    is_rated = ratings.codes != MISSING
    rows, columns = np.nonzero(is_rated & (is_rated.sum(axis=1) > 1)[:, None])
    return rows, columns
