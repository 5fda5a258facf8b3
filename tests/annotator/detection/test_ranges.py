"""Ranges of comments: no id is lost, none is counted twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.detection.queries.ranges import common, merged, until


def ids(ranges) -> list[int]:
    return [number for first, last in ranges for number in range(first, last + 1)]


some_ranges = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair))))


@pytest.mark.parametrize(
    ("ranges", "wanted"),
    [
        ([], []),
        ([(5, 9), (1, 4)], [(1, 9)]),  # they touch
        ([(1, 3), (5, 9)], [(1, 3), (5, 9)]),  # 4 is in none
        ([(1, 9), (3, 3)], [(1, 9)]),  # one that is tried once more lies in another
    ],
)
def test_merges_what_overlaps_or_touches(ranges, wanted):
    assert merged(ranges) == wanted


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ([(1, 9)], [(4, 20)], [(4, 9)]),
        ([(1, 4)], [(5, 9)], []),
        ([(1, 5)], [(5, 9)], [(5, 5)]),
        ([(1, 20)], [(2, 3), (7, 8)], [(2, 3), (7, 8)]),
        ([(1, 3), (3, 5)], [], []),
    ],
)
def test_what_is_in_both(one, other, wanted):
    assert common(one, other) == wanted


@given(some_ranges)
def test_merging_keeps_every_id_once(ranges):
    assert ids(merged(ranges)) == sorted(set(ids(ranges)))


@given(some_ranges, some_ranges)
def test_common_ids_are_those_of_both_sets(one, other):
    assert ids(common(one, other)) == sorted(set(ids(one)) & set(ids(other)))


@given(some_ranges, st.integers(0, 70))
def test_nothing_lies_beyond_the_last(ranges, last):
    assert ids(until(merged(ranges), last)) == sorted(number for number in set(ids(ranges)) if number <= last)
