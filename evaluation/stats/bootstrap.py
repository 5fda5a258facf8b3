"""Counts per profile, and their sums over resampled profiles: the basis of every interval.

Counts can be added up, scores can't. A resample is a weight per profile: how often it was drawn. Nothing is read or
compared again; resampling is a matrix product of weights and counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evaluation.stats.panel import Floats, Ints

Float32s = npt.NDArray[np.float32]  # exact for whole numbers up to 16 million, and products take half the time
Weights = Float32s
CHUNK_SIZE = 250  # resamples


@dataclass(eq=False)
class Counts:
    """Amounts by profile and column. `rows` are the profiles, `height` is the number of profiles."""

    rows: Ints
    columns: Ints
    amounts: Floats
    height: int
    width: int

    @cached_property
    def table(self) -> Float32s:
        cells = self.rows * self.width + self.columns
        flat = np.bincount(cells, self.amounts, self.height * self.width)
        return flat.reshape(self.height, self.width).astype(np.float32)


class Sample(Protocol):
    """The observed profiles, or some resamples of them, with one row of sums each."""

    def sum(self, counts: Counts) -> Floats: ...

    def sum_of(self, profiles: Ints, counts: Counts) -> Floats:
        """Same as `sum`, for counts that cover only these profiles."""
        ...


class ObservedSample:
    """Every profile once, which gives the exact score itself. Remembers which counts it summed."""

    def __init__(self) -> None:
        self.summed: dict[int, Counts] = {}

    def sum(self, counts: Counts) -> Floats:
        self.summed[id(counts)] = counts
        return self.sum_of(counts.rows, counts)

    def sum_of(self, profiles: Ints, counts: Counts) -> Floats:
        return np.bincount(counts.columns, counts.amounts, counts.width)[None, :].astype(np.float64)


class CountStack:
    """Several counts side by side, so that one product sums all of them."""

    def __init__(self, counts: Iterable[Counts], height: int) -> None:
        self.slices: dict[int, slice] = {}
        tables, width = [np.empty((height, 0), np.float32)], 0
        for member in counts:
            tables.append(member.table)
            self.slices[id(member)] = slice(width, width + member.width)
            width += member.width
        self.table: Float32s = np.concatenate(tables, axis=1)


class Resamples:
    """Resamples, in which profiles count as often as they were drawn."""

    def __init__(self, weights: Weights, stack: CountStack) -> None:
        self._weights = weights
        self._slices, self._sums = stack.slices, self._weights @ stack.table

    def sum(self, counts: Counts) -> Floats:
        return self._sums[:, self._slices[id(counts)]].astype(np.float64)

    def sum_of(self, profiles: Ints, counts: Counts) -> Floats:
        return (self._weights[:, profiles] @ counts.table).astype(np.float64)


def draw_weights(profiles: int, resamples: int, rng: np.random.Generator) -> Weights:
    """For each resample, draw `profiles` profiles with replacement and count how often each one was drawn."""
    weights = np.empty((resamples, profiles), np.float32)
    for start in range(0, resamples, CHUNK_SIZE):
        chunk = weights[start : start + CHUNK_SIZE]
        drawn = rng.integers(0, profiles, chunk.shape) + np.arange(len(chunk))[:, None] * profiles
        chunk[:] = np.bincount(drawn.ravel(), minlength=chunk.size).reshape(chunk.shape)
    return weights
