"""How often each annotator used each code, per sample: the basis of chance agreement."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluation.stats.bootstrap import Counts, Sample
from evaluation.stats.panel import Floats, Ints, Panel, factorize
from evaluation.stats.ratings import Ratings, comparable_ratings

MAX_COLUMNS = 300  # annotators times codes; more are not summed in one table
BLOCK_COLUMNS = 100  # approximate width of a block if there are more


@dataclass(frozen=True, slots=True)
class SquareSums:
    """The number of ratings, and the sums of squared counts by annotator, by code, and by both."""

    total: Floats
    by_annotator: Floats
    by_code: Floats
    by_both: Floats


@dataclass(frozen=True, slots=True)
class Block:
    """Some codes with all annotators who used them. `code_starts` are the columns at which each code starts."""

    profiles: Ints
    counts: Counts
    code_starts: Ints


class Marginals:
    """The comparable ratings by annotator and code."""

    def __init__(self, ratings: Ratings, panel: Panel) -> None:
        self.rows, columns = comparable_ratings(ratings)
        self.codes, self.annotators = ratings.codes[self.rows, columns], panel.annotators[self.rows, columns]
        self.code_count, self.annotator_count, self.profile_count = ratings.size, len(panel.annotator_ids), panel.size
        self._squares: tuple[Sample | None, SquareSums] = None, SquareSums(*[np.empty(0)] * 4)

    @cached_property
    def by_annotator(self) -> Counts:
        return Counts(self.rows, self.annotators, np.ones(len(self.rows)), self.profile_count, self.annotator_count)

    @cached_property
    def by_code(self) -> Counts:
        return Counts(self.rows, self.codes, np.ones(len(self.rows)), self.profile_count, self.code_count)

    def square_sums(self, sample: Sample) -> SquareSums:
        """The sums of squares, computed once per sample because several metrics need them."""
        if self._squares[0] is not sample:
            by_annotator = sample.sum(self.by_annotator)
            fits = self.annotator_count * self.code_count <= MAX_COLUMNS
            codes = self._in_one_table(sample) if fits else self._in_blocks(sample)
            self._squares = sample, SquareSums(by_annotator.sum(axis=1), _squares(by_annotator), *codes)
        return self._squares[1]

    @cached_property
    def _by_both(self) -> Counts:
        columns = self.annotators * self.code_count + self.codes
        width = self.annotator_count * self.code_count
        return Counts(self.rows, columns, np.ones(len(columns)), self.profile_count, width)

    def _in_one_table(self, sample: Sample) -> tuple[Floats, Floats]:
        both = sample.sum(self._by_both)
        by_code = both.reshape(len(both), self.annotator_count, self.code_count).sum(axis=1)
        return _squares(by_code), _squares(both)

    def _in_blocks(self, sample: Sample) -> tuple[Floats, Floats]:
        by_code, by_both = np.zeros(1), np.zeros(1)
        for block in self._blocks:
            both = sample.sum_of(block.profiles, block.counts)
            by_code = by_code + _squares(np.add.reduceat(both, block.code_starts, axis=1))
            by_both = by_both + _squares(both)
        return by_code, by_both

    @cached_property
    def _blocks(self) -> list[Block]:
        """A rare code occurs in few profiles, so blocks of codes stay small where one table would be huge."""
        order = np.lexsort((self.rows, self.annotators, self.codes))
        return [self._block(order[start:end]) for start, end in self._block_bounds(order)]

    def _block_bounds(self, order: Ints) -> Iterator[tuple[int, int]]:
        """Cut at the end of a code once there are enough columns."""
        codes, annotators = self.codes[order], self.annotators[order]
        is_new_code = np.append(True, codes[1:] != codes[:-1])
        columns = np.cumsum(is_new_code | np.append(True, annotators[1:] != annotators[:-1]))
        start, columns_before = 0, 0
        for code_start in np.flatnonzero(is_new_code).tolist():
            if columns[code_start] - columns_before > BLOCK_COLUMNS and code_start:
                yield start, code_start
                start, columns_before = code_start, columns[code_start] - 1
        yield start, len(order)

    def _block(self, chosen: Ints) -> Block:
        profiles, rows = factorize(self.rows[chosen])
        cells, columns = factorize(self.codes[chosen] * self.annotator_count + self.annotators[chosen])
        code_starts = np.unique(cells // self.annotator_count, return_index=True)[1]
        return Block(profiles, Counts(rows, columns, np.ones(len(rows)), len(profiles), len(cells)), code_starts)


def _squares(sums: Floats) -> Floats:
    squares: Floats = np.einsum("ij,ij->i", sums, sums)
    return squares
