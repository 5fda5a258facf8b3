"""Ranges of comment ids with both ends included. Plain numbers, no database."""

from collections.abc import Iterable
from itertools import pairwise

Range = tuple[int, int]


def merge(ranges: Iterable[Range]) -> list[Range]:
    """Sort the ranges and join those that overlap or touch."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def intersect(first_ranges: Iterable[Range], second_ranges: Iterable[Range]) -> list[Range]:
    """The ids that both cover, as merged ranges."""
    both = (merge(first_ranges), merge(second_ranges))
    edges = [edge for ranges in both for first, last in ranges for edge in _edges(first, last)]
    shared, depth = [], 0
    for (at, step), (after, _) in pairwise(sorted(edges)):
        depth += step
        if depth == 2 and at < after:
            shared.append((at, after - 1))
    return merge(shared)


def cut_off(ranges: Iterable[Range], last: int) -> list[Range]:
    """Drop all ids after the last one."""
    return [(start, min(end, last)) for start, end in ranges if start <= last]


def _edges(first: int, last: int) -> list[tuple[int, int]]:
    return [(first, 1), (last + 1, -1)]
