"""Which comments runs have been through, as ranges of ids with both ends included. Plain numbers, no database."""

from collections.abc import Iterable
from itertools import pairwise

Range = tuple[int, int]


def merged(ranges: Iterable[Range]) -> list[Range]:
    """The same ids, each once, in order: what overlaps or touches becomes one."""
    found: list[Range] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found


def common(one: Iterable[Range], other: Iterable[Range]) -> list[Range]:
    """The ids that are in both. A place is in both where two of the merged ranges are open."""
    edges = [edge for ranges in (merged(one), merged(other)) for first, last in ranges for edge in _edges(first, last)]
    places, depth = [], 0
    for (at, step), (after, _) in pairwise(sorted(edges)):
        depth += step
        if depth == 2 and at < after:
            places.append((at, after - 1))
    return merged(places)


def until(ranges: Iterable[Range], last: int) -> list[Range]:
    """No id beyond the last one."""
    return [(start, min(end, last)) for start, end in ranges if start <= last]


def _edges(first: int, last: int) -> list[tuple[int, int]]:
    return [(first, 1), (last + 1, -1)]
