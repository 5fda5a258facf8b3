"""Computing the next batch while the last one is written."""

import threading
from collections.abc import Iterator

import pytest

from profiles.ingest.load import prefetch


def test_yields_everything_in_order():
    assert list(prefetch(range(100))) == list(range(100))
    assert list(prefetch([])) == []
    assert list(prefetch([None, None])) == [None, None]


def test_computes_the_next_while_the_last_is_used():
    """And no more than the next: batches are large."""
    started: list[int] = []
    second_has_started = threading.Event()

    def numbers() -> Iterator[int]:
        for number in range(3):
            started.append(number)
            if number == 1:
                second_has_started.set()
            yield number

    ahead = prefetch(numbers())
    assert next(ahead) == 0
    assert second_has_started.wait(5)
    assert started == [0, 1]
    assert list(ahead) == [1, 2]


def test_an_error_is_raised_where_the_item_is_used():
    def broken() -> Iterator[int]:
        yield 1
        raise OSError("the disk is gone")

    ahead = prefetch(broken())
    assert next(ahead) == 1
    with pytest.raises(OSError, match="the disk is gone"):
        next(ahead)
