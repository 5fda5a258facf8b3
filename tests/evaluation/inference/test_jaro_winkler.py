"""Jaro-Winkler similarity: the values that the original scorer has, and what every similarity does."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluation.inference.jaro_winkler import jaro, jaro_winkler

words = st.text("abé ", max_size=12)


@pytest.mark.parametrize(
    ("first", "second", "similarity"),
    [
        ("male", "female", 0.722),
        ("man", "male", 0.778),
        ("woman", "female", 0.578),
        ("new york", "new jersey", 0.825),
        ("austria", "australia", 0.927),
        ("india", "indiana", 0.943),
        ("san francisco", "san diego", 0.826),
        ("portland, oregon", "portland, maine", 0.893),
        ("no relation", "in relation", 0.939),
        ("uk", "united kingdom", 0.743),
        ("usa", "united states", 0.470),
        ("dwayne", "duane", 0.840),  # Winkler's own examples
        ("martha", "marhta", 0.961),
        ("dixon", "dicksonx", 0.813),
        ("abcdef", "bcadef", 0.944),  # three characters moved are one transposition
        ("", "", 1),
        ("", "a", 0),
        ("a", "b", 0),
    ],
)
def test_known_values(first, second, similarity):
    assert jaro_winkler(first, second) == pytest.approx(similarity, abs=0.0005)


def test_a_shared_prefix_helps_only_what_is_close_anyway():
    assert jaro("abcdxxxx", "abcdyyyy") == pytest.approx(2 / 3)
    assert jaro_winkler("abcdxxxx", "abcdyyyy") == jaro("abcdxxxx", "abcdyyyy")


@given(words, words)
@example("ab", "ba")
def test_lies_between_0_and_1_and_is_1_only_for_equals(first, second):
    similarity = jaro_winkler(first, second)
    assert 0 <= similarity <= 1
    assert (similarity == 1) == (first == second)
    assert similarity >= jaro(first, second)
