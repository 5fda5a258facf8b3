"""Making the next batch while the last one is written."""

import threading
from collections.abc import Iterator

import pytest

from profiles.ingest.load import one_ahead


def test_gives_everything_in_order():
    assert list(one_ahead(range(100))) == list(range(100))
    assert list(one_ahead([])) == []
    assert list(one_ahead([None, None])) == [None, None]


def test_makes_the_next_while_one_is_used():
    """And no more than the next: batches are large."""
    made: list[int] = []
    second_is_made = threading.Event()

    def numbers() -> Iterator[int]:
        for number in range(3):
            made.append(number)
            if number == 1:
                second_is_made.set()
            yield number

    ahead = one_ahead(numbers())
    assert next(ahead) == 0
    assert second_is_made.wait(5)
    assert made == [0, 1]
    assert list(ahead) == [1, 2]


def test_what_goes_wrong_in_the_making_is_told_where_it_is_used():
    def broken() -> Iterator[int]:
        yield 1
        raise OSError("the disk is gone")

    ahead = one_ahead(broken())
    assert next(ahead) == 1
    with pytest.raises(OSError, match="the disk is gone"):
        next(ahead)
