"""What is left of a text, against examples by hand and the textbook's definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.defences.utility import Utility, add_up, common_length, compare_texts

WORDS = st.lists(st.sampled_from("abcd"), max_size=12)


@pytest.mark.parametrize(
    ("original", "defended", "expected"),
    [
        ("I live in Oslo now", "I live in [LOCATION] now", Utility(14, 10, 5, 4, 4, 4)),
        ("I live in Oslo", "I live in Bergen", Utility(11, 7, 4, 3, 3, 4)),
        ("one two", "two one", Utility(6, 6, 2, 2, 1, 2)),
        ("", "", Utility()),
        ("gone", "****", Utility(4, 0, 1, 0, 0, 0)),
    ],
)
def test_examples(original, defended, expected):
    assert compare_texts(original, defended) == expected


@given(WORDS, WORDS)
def test_the_longest_common_subsequence(first, second):
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for row, word in enumerate(first):
        for column, other in enumerate(second):
            best = max(table[row][column + 1], table[row + 1][column])
            table[row + 1][column + 1] = table[row][column] + 1 if word == other else best
    assert common_length(first, second) == table[-1][-1]


def test_counts_add_up():
    assert add_up([compare_texts("a b", "a"), compare_texts("c", "c")]) == Utility(3, 2, 3, 2, 2, 2)
