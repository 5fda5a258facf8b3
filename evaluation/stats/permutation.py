"""Permutation tests within items: the answers of an item are dealt out anew among its variants.

If the variant makes no difference, every way of dealing an item's answers to its variants is equally likely. How many
answers each variant has stays as it is, so only the "yes" answers move: their number follows the hypergeometric
distribution. Nothing is assumed about items, and how an item is answered on average stays as it is.
"""

from collections.abc import Iterator
from math import comb

import numpy as np
import numpy.typing as npt

from evaluation.stats.panel import Floats, Ints

CHUNK_SIZE = 100  # rounds that are dealt at once


def deal_pair(yes: Ints, sizes: Ints, rounds: int, rng: np.random.Generator) -> Ints:
    """How many "yes" the first of two variants gets in each round, over all items.

    `yes` and `sizes` have a row per item and two columns: "yes" answers and all answers of each variant. Items that
    look the same are dealt together, so that the time depends on the number of repetitions, not of items.
    """
    kinds, counts = np.unique(np.column_stack([yes.sum(axis=1), sizes]), axis=0, return_counts=True)
    totals = np.zeros(rounds, np.int64)
    for (total, first, second), count in zip(kinds.tolist(), counts.tolist(), strict=True):
        values, shares = _hypergeometric(total, first, second)
        totals += rng.multinomial(count, shares, size=rounds) @ values
    return totals


def _hypergeometric(yes: int, first: int, second: int) -> tuple[Ints, Floats]:
    """How many of `yes` go to the first of two variants with so many answers each, with probabilities."""
    values = np.arange(max(0, yes - second), min(yes, first) + 1)
    ways = [comb(first, value) * comb(second, yes - value) for value in values.tolist()]
    shares = np.array([way / comb(first + second, yes) for way in ways])
    return values, shares / shares.sum()


def deal_all(yes: Ints, sizes: Ints, rounds: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.int64]]:
    """Deal to all variants at once. Chunks of rounds × items × variants with the "yes" answers of each variant."""
    for start in range(0, rounds, CHUNK_SIZE):
        size = min(CHUNK_SIZE, rounds - start)
        left, places = np.tile(yes.sum(axis=1), (size, 1)), sizes.sum(axis=1)
        dealt = np.zeros((size, *yes.shape), np.int64)
        for variant in range(yes.shape[1] - 1):
            share = sizes[:, variant]
            dealt[:, :, variant] = rng.hypergeometric(left, places - left, np.broadcast_to(share, left.shape))
            left, places = left - dealt[:, :, variant], places - share
        dealt[:, :, -1] = left
        yield dealt
