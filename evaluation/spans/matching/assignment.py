"""Optimal one-to-one assignment inside one component of overlapping spans.

Gold spans are inserted one after another along the cheapest alternating path (the Hungarian method on sparse edges,
with heaps). Costs are whole numbers: what a pair lacks to an IoU of 1, in billionths. A gold span may stay alone at a
cost that exceeds all pairs together, so the number of pairs comes first.

Bounds: up to MAX_TIE_ROWS gold spans, costs also carry the rank of each pair, behind the IoU, which decides ties
exactly; beyond that the order of insertion does. A component may visit MAX_VISITS edges, plus VISITS_PER_EDGE times
the edges it has. Each gold span visits an edge at most once, so 100 gold spans that all overlap the same 100
predictions are within the bound, and so are 700 in a chain; most larger ones need far fewer visits. Past the bound, the
number of pairs is still the largest possible, but the sum of IoU may not be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from evaluation.spans.matching.canonical import UNITS
from evaluation.spans.matching.cardinality import largest_assignment

Edge = tuple[int, int, int, int]  # gold row, predicted row, IoU in billionths, index of the pair
MAX_TIE_ROWS = 100
MAX_VISITS = 1_000_000
VISITS_PER_EDGE = 8


class TooManyVisits(Exception):
    """The component is too large and dense to be solved within the bound."""


def assign(component: Sequence[Sequence[Edge]], *, max_visits: int = MAX_VISITS) -> Iterator[int]:
    """Yield the indices of the chosen pairs. The component has the edges of each of its gold spans, in order."""
    visits = max_visits + VISITS_PER_EDGE * sum(len(edges) for edges in component)
    try:
        partners = _Solver(visits).solve(_costs(component))
    except TooManyVisits:
        partners = largest_assignment([[(edge[1], edge[2]) for edge in edges] for edges in component])
    for edges, partner in zip(component, partners, strict=True):
        yield from (edge[3] for edge in edges if edge[1] == partner)


@dataclass(frozen=True, slots=True)
class _Row:
    """A gold span: its predictions with their costs, and the cost to stay alone."""

    edges: Sequence[tuple[int, int]]
    alone: int


def _costs(component: Sequence[Sequence[Edge]]) -> list[_Row]:
    """Costs whose smallest sum is the best assignment.

    The low bits hold one field per gold span, the first span's in front, with the rank of its prediction, so that
    among equal sums of IoU the smallest number is the set of pairs that comes first.
    """
    size = len(component)
    width = max(len(edges) for edges in component).bit_length() if size <= MAX_TIE_ROWS else 0
    rows = []
    for index, edges in enumerate(component):
        shift = width * (size - 1 - index)
        ranks = range(len(edges) + 1) if width else [0] * (len(edges) + 1)
        alone = (UNITS * (size + 1) << width * size) + (ranks[-1] << shift)
        costs = [
            (edge[1], ((UNITS - edge[2]) << width * size) + (rank << shift))
            for edge, rank in zip(edges, ranks, strict=False)  # the last rank is for staying alone
        ]
        rows.append(_Row(costs, alone))
    return rows


@dataclass(slots=True)
class _Solver:
    """Assignment by shortest augmenting paths. Columns below zero stand for staying alone: -1 - row."""

    visits: int  # that are left
    rows: list[_Row] = field(default_factory=list)
    column_of: list[int] = field(default_factory=list)
    owner_of: dict[int, int] = field(default_factory=dict)
    row_prices: list[int] = field(default_factory=list)
    column_prices: dict[int, int] = field(default_factory=dict)

    def solve(self, rows: list[_Row]) -> list[int | None]:
        """Return the column of each row, or None."""
        self.rows, self.row_prices, self.column_of = rows, [0] * len(rows), [0] * len(rows)
        for row in range(len(rows)):
            self._insert(row)
        return [column if column >= 0 else None for column in self.column_of]

    def _insert(self, start: int) -> None:
        """Find the cheapest way to give this row a column, moving other rows where that helps."""
        distances: dict[int, int] = {}
        parents: dict[int, int] = {}
        closed: dict[int, int] = {}  # columns whose distance is final
        heap: list[tuple[int, bool, int]] = []
        row, reached = start, 0
        while True:
            self._relax(row, reached, distances, parents, heap)
            while (entry := heappop(heap))[2] in closed:
                pass
            reached, _, column = entry
            if column not in self.owner_of:
                break
            closed[column] = reached
            row = self.owner_of[column]
        self._reprice(start, reached, closed)
        self._augment(start, column, parents)

    def _relax(
        self,
        row: int,
        reached: int,
        distances: dict[int, int],
        parents: dict[int, int],
        heap: list[tuple[int, bool, int]],
    ) -> None:
        edges = self.rows[row].edges
        self.visits -= len(edges)
        if self.visits < 0:
            raise TooManyVisits
        base = reached - self.row_prices[row]
        for column, cost in (*edges, (-1 - row, self.rows[row].alone)):
            distance = base + cost - self.column_prices.get(column, 0)
            if column not in distances or distance < distances[column]:
                distances[column], parents[column] = distance, row
                heappush(heap, (distance, column in self.owner_of, column))

    def _reprice(self, start: int, reached: int, closed: dict[int, int]) -> None:
        """Keep all reduced costs at zero or above, and at zero for assigned pairs."""
        self.row_prices[start] += reached
        for column, distance in closed.items():
            self.row_prices[self.owner_of[column]] += reached - distance
            self.column_prices[column] = self.column_prices.get(column, 0) - (reached - distance)

    def _augment(self, start: int, column: int, parents: dict[int, int]) -> None:
        while True:
            row = parents[column]
            self.owner_of[column] = row
            column, self.column_of[row] = self.column_of[row], column
            if row == start:
                return
