"""Choose the best one-to-one pairs: as many as possible, and among those the largest sum of IoU.

Ties go to the set of pairs that comes first when gold and predicted rows are compared in order. Nearly all spans
overlap one other span, or are the only partner of those that overlap them: they are decided together, in numpy.
"""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from evaluation.spans.matching.assignment import Edge, assign
from evaluation.spans.matching.pairs import degrees, largest_by_row
from evaluation.stats.panel import Ints


def choose_pairs(gold: Ints, predicted: Ints, units: Ints) -> Ints:
    """Return the indices of the chosen pairs, ascending. Pairs are sorted by gold row, then by predicted row."""
    is_isolated = (degrees(gold) == 1) & (degrees(predicted) == 1)
    left = np.flatnonzero(~is_isolated)
    chosen = np.flatnonzero(is_isolated), left[_choose_connected(gold[left], predicted[left], units[left])]
    return np.sort(np.concatenate(chosen))


def _choose_connected(gold: Ints, predicted: Ints, units: Ints) -> Ints:
    """Choose among pairs of which a span is in several. Stars, with one span in the middle, have an obvious best."""
    is_gold_star = largest_by_row(gold, degrees(predicted)) == 1  # nobody else wants this gold span's predictions
    is_star = largest_by_row(predicted, degrees(gold)) == 1
    stars, others = np.flatnonzero(is_gold_star), np.flatnonzero(is_star & ~is_gold_star)
    rest = np.flatnonzero(~is_star & ~is_gold_star)
    chosen = (
        _best_of_each(gold, units, stars),
        _best_of_each(predicted, units, others),
        _choose_by_component(gold, predicted, units, rest),
    )
    return np.concatenate(chosen)


def _best_of_each(rows: Ints, units: Ints, pairs: Ints) -> Ints:
    """For each row, the pair with the largest IoU, or the first of several."""
    order = pairs[np.lexsort((pairs, -units[pairs], rows[pairs]))]
    sorted_rows = rows[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = sorted_rows[1:] != sorted_rows[:-1]
    return order[is_first]


def _choose_by_component(gold: Ints, predicted: Ints, units: Ints, pairs: Ints) -> Ints:
    columns = (gold[pairs].tolist(), predicted[pairs].tolist(), units[pairs].tolist(), pairs.tolist())
    edges: dict[int, list[Edge]] = defaultdict(list)
    for edge in zip(*columns, strict=True):
        edges[edge[0]].append(edge)
    chosen = [index for component in _components(edges) for index in assign(component)]
    return np.array(chosen, np.int64)


def _components(edges: dict[int, list[Edge]]) -> Iterator[list[list[Edge]]]:
    """Yield the edges of connected spans, by gold span in order."""
    neighbours: dict[int, list[int]] = defaultdict(list)
    for gold, of_gold in edges.items():
        for edge in of_gold:
            neighbours[edge[1]].append(gold)
    seen: set[int] = set()
    for start in edges:
        if start not in seen:
            yield [edges[gold] for gold in sorted(_reachable(start, edges, neighbours, seen))]


def _reachable(
    start: int, edges: dict[int, list[Edge]], neighbours: dict[int, list[int]], seen: set[int]
) -> Iterator[int]:
    """Yield the gold spans connected with this one, and take them off the map."""
    seen.add(start)
    stack = [start]
    while stack:
        gold = stack.pop()
        yield gold
        for edge in edges[gold]:
            fresh = [other for other in neighbours.pop(edge[1], ()) if other not in seen]
            seen.update(fresh)
            stack += fresh
