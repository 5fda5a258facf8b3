"""Many texts and numbers in few objects: they take a third of the memory, and reading them writes nothing.

Python counts references in each object it touches, and processes that share memory get a copy of each page that is
written to.
"""

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import overload


class Texts(Sequence[str]):
    """Texts that do not change, in one piece of UTF-8."""

    __slots__ = ("_ends", "_text")

    def __init__(self, texts: Iterable[str]) -> None:
        pieces = [text.encode() for text in texts]
        self._text = b"".join(pieces)
        self._ends = array("I", chain([0], accumulate(map(len, pieces))))

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        number = range(len(self))[at]
        return self._text[self._ends[number] : self._ends[number + 1]].decode()


class RepeatedTexts(Sequence[str]):
    """Texts most of which occur many times, such as names of countries."""

    __slots__ = ("_numbers", "_texts")

    def __init__(self, texts: Sequence[str]) -> None:
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        self._texts = list(numbers)
        self._numbers = array("I", [numbers[text] for text in texts])

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self._texts[number] for number in self._numbers[at]]
        return self._texts[self._numbers[at]]
