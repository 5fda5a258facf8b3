"""Who said what how often, by resample: what agreement by chance is made from."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluation.stats.bootstrap import Counts, Draws
from evaluation.stats.panel import Floats, Ints, Panel, numbered
from evaluation.stats.questions import Question, counted

FEW = 300  # people times codes that are added up at once
BLOCK = 100  # about so many at a time otherwise


@dataclass(frozen=True, slots=True)
class Squares:
    """How many judgements there are, and the sums of squares of how many have one person, one code, or both."""

    total: Floats
    by_person: Floats
    by_code: Floats
    by_both: Floats


@dataclass(frozen=True, slots=True)
class Block:
    """Some codes with everybody who said them: the profiles in which they were said, and where each code begins."""

    profiles: Ints
    counts: Counts
    begins: Ints


class Said:
    """The judgements of one question that can be compared, by person and code."""

    def __init__(self, question: Question, panel: Panel) -> None:
        self.rows, seats = counted(question)
        self.codes, self.people = question.codes[self.rows, seats], panel.seats[self.rows, seats]
        self.size, self.crowd, self.height = question.size, len(panel.people), panel.size
        self._squares: tuple[Draws | None, Squares] = None, Squares(*[np.empty(0)] * 4)

    @cached_property
    def by_person(self) -> Counts:
        return Counts(self.rows, self.people, np.ones(len(self.rows)), self.height, self.crowd)

    @cached_property
    def by_code(self) -> Counts:
        return Counts(self.rows, self.codes, np.ones(len(self.rows)), self.height, self.size)

    def squares(self, draws: Draws) -> Squares:
        """Worked out once for each draw: several measures need them."""
        if self._squares[0] is not draws:
            by_person = draws.add(self.by_person)
            codes = self._at_once(draws) if self.crowd * self.size <= FEW else self._in_blocks(draws)
            self._squares = draws, Squares(by_person.sum(axis=1), _square(by_person), *codes)
        return self._squares[1]

    @cached_property
    def _by_both(self) -> Counts:
        columns = self.people * self.size + self.codes
        return Counts(self.rows, columns, np.ones(len(columns)), self.height, self.crowd * self.size)

    def _at_once(self, draws: Draws) -> tuple[Floats, Floats]:
        both = draws.add(self._by_both)
        return _square(both.reshape(len(both), self.crowd, self.size).sum(axis=1)), _square(both)

    def _in_blocks(self, draws: Draws) -> tuple[Floats, Floats]:
        by_code, by_both = np.zeros(1), np.zeros(1)
        for block in self._blocks:
            both = draws.add_some(block.profiles, block.counts)
            by_code, by_both = by_code + _square(np.add.reduceat(both, block.begins, axis=1)), by_both + _square(both)
        return by_code, by_both

    @cached_property
    def _blocks(self) -> list[Block]:
        """A rare code touches few profiles, so blocks of codes are small where a whole table would be vast."""
        order = np.lexsort((self.rows, self.people, self.codes))
        return [self._block(order[begin:end]) for begin, end in self._cuts(order)]

    def _cuts(self, order: Ints) -> Iterator[tuple[int, int]]:
        """Where a code ends and enough persons and codes have come together."""
        codes, people = self.codes[order], self.people[order]
        is_new = np.append(True, codes[1:] != codes[:-1])
        cells = np.cumsum(is_new | np.append(True, people[1:] != people[:-1]))
        begin, held = 0, 0
        for start in np.flatnonzero(is_new).tolist():
            if cells[start] - held > BLOCK and start:
                yield begin, start
                begin, held = start, cells[start] - 1
        yield begin, len(order)

    def _block(self, chosen: Ints) -> Block:
        profiles, rows = numbered(self.rows[chosen])
        cells, columns = numbered(self.codes[chosen] * self.crowd + self.people[chosen])
        begins = np.unique(cells // self.crowd, return_index=True)[1]
        return Block(profiles, Counts(rows, columns, np.ones(len(rows)), len(profiles), len(cells)), begins)


def _square(sums: Floats) -> Floats:
    squares: Floats = np.einsum("ij,ij->i", sums, sums)
    return squares
