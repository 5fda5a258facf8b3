"""Ranges of comment ids: none is lost, none is counted twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.detection.queries.ranges import cut_off, intersect, merge


def ids(ranges) -> list[int]:
    return [number for first, last in ranges for number in range(first, last + 1)]


some_ranges = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair))))


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ([], []),
        ([(5, 9), (1, 4)], [(1, 9)]),  # they touch
        ([(1, 3), (5, 9)], [(1, 3), (5, 9)]),  # 4 is in none
        ([(1, 9), (3, 3)], [(1, 9)]),  # a retried comment lies in another range
    ],
)
def test_merges_what_overlaps_or_touches(ranges, expected):
    assert merge(ranges) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([(1, 9)], [(4, 20)], [(4, 9)]),
        ([(1, 4)], [(5, 9)], []),
        ([(1, 5)], [(5, 9)], [(5, 5)]),
        ([(1, 20)], [(2, 3), (7, 8)], [(2, 3), (7, 8)]),
        ([(1, 3), (3, 5)], [], []),
    ],
)
def test_what_is_in_both(first, second, expected):
    assert intersect(first, second) == expected


@given(some_ranges)
def test_merging_keeps_every_id_once(ranges):
    assert ids(merge(ranges)) == sorted(set(ids(ranges)))


@given(some_ranges, some_ranges)
def test_common_ids_are_those_of_both_sets(first, second):
    assert ids(intersect(first, second)) == sorted(set(ids(first)) & set(ids(second)))


@given(some_ranges, st.integers(0, 70))
def test_nothing_lies_beyond_the_last(ranges, last):
    assert ids(cut_off(merge(ranges), last)) == sorted(number for number in set(ids(ranges)) if number <= last)
