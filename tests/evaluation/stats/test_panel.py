"""Numbering keys without sorting them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats.panel import factorize


@given(st.lists(st.integers(0, 500), max_size=60))
def test_numbers_keys_as_sorting_would(keys):
    known, numbers = factorize(np.asarray(keys, np.int64))
    expected, places = np.unique(np.asarray(keys, np.int64), return_inverse=True)
    assert known.tolist() == expected.tolist()
    assert numbers.tolist() == places.tolist()


@pytest.mark.parametrize("largest", [3, 10**15])
def test_takes_no_room_for_keys_that_are_not_there(largest):
    known, numbers = factorize(np.asarray([largest, 1, largest], np.int64))
    assert known.tolist() == [1, largest]
    assert numbers.tolist() == [1, 0, 1]
