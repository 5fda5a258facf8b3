"""Counts by profile, and how they add up when profiles are drawn again: what every interval is made from.

Counts add up, scores do not. A resample is a weight for each profile: how often it was drawn. So nothing is ever
read or compared again; all resamples are one product of weights and counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evaluation.stats.panel import Floats, Ints

Singles = npt.NDArray[np.float32]  # whole numbers up to 16 million are exact, and products take half the time
Weights = Singles
AT_ONCE = 250  # resamples


@dataclass(eq=False)
class Counts:
    """Amounts by profile and column; `rows` are the profiles, `height` how many there are."""

    rows: Ints
    columns: Ints
    amounts: Floats
    height: int
    width: int

    @cached_property
    def table(self) -> Singles:
        places = self.rows * self.width + self.columns
        flat = np.bincount(places, self.amounts, self.height * self.width)
        return flat.reshape(self.height, self.width).astype(np.float32)


class Draws(Protocol):
    """What was found, or some resamples of it: one row each."""

    def add(self, counts: Counts) -> Floats: ...

    def add_some(self, profiles: Ints, counts: Counts) -> Floats:
        """The same for counts of these profiles only."""
        ...


class AsFound:
    """Every profile once: the figure itself, exactly. Remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: dict[int, Counts] = {}

    def add(self, counts: Counts) -> Floats:
        self.asked[id(counts)] = counts
        return self.add_some(counts.rows, counts)

    def add_some(self, profiles: Ints, counts: Counts) -> Floats:
        return np.bincount(counts.columns, counts.amounts, counts.width)[None, :].astype(np.float64)


class Stack:
    """Counts side by side, so that one product adds up all of them."""

    def __init__(self, counts: Iterable[Counts], height: int) -> None:
        self.places: dict[int, slice] = {}
        tables, width = [np.empty((height, 0), np.float32)], 0
        for each in counts:
            tables.append(each.table)
            self.places[id(each)] = slice(width, width + each.width)
            width += each.width
        self.table: Singles = np.concatenate(tables, axis=1)


class Resamples:
    """Profiles as often as they were drawn."""

    def __init__(self, weights: Weights, stack: Stack) -> None:
        self._weights = weights
        self._places, self._sums = stack.places, self._weights @ stack.table

    def add(self, counts: Counts) -> Floats:
        return self._sums[:, self._places[id(counts)]].astype(np.float64)

    def add_some(self, profiles: Ints, counts: Counts) -> Floats:
        return (self._weights[:, profiles] @ counts.table).astype(np.float64)


def draw(profiles: int, resamples: int, rng: np.random.Generator) -> Weights:
    """How often each profile is drawn, when as many are drawn as there are, with replacement."""
    weights = np.empty((resamples, profiles), np.float32)
    for start in range(0, resamples, AT_ONCE):
        part = weights[start : start + AT_ONCE]
        drawn = rng.integers(0, profiles, part.shape) + np.arange(len(part))[:, None] * profiles
        part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)
    return weights
