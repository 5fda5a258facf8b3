"""Many texts and numbers in few objects: they take a third of the memory, and reading them writes nothing.

Python counts references in each object it touches, and processes that share memory get a copy of each page that is
written to.
"""

from abc import abstractmethod
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import overload


class _PackedTexts(Sequence[str]):
    """Reads like a list. Subclasses know the text at a number from 0."""

    __slots__ = ()

    @abstractmethod
    def _at(self, number: int) -> str: ...

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        numbers = range(len(self))[at]
        return self._at(numbers) if isinstance(numbers, int) else [self._at(number) for number in numbers]


class Texts(_PackedTexts):
    """Texts that do not change, in one piece of UTF-8."""

    __slots__ = ("_ends", "_text")

    def __init__(self, texts: Iterable[str]) -> None:
        pieces = [text.encode() for text in texts]
        self._text = b"".join(pieces)
        self._ends = array("I", chain([0], accumulate(map(len, pieces))))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def _at(self, number: int) -> str:
        return self._text[self._ends[number] : self._ends[number + 1]].decode()


class RepeatedTexts(_PackedTexts):
    """Texts most of which occur many times, such as names of countries."""

    __slots__ = ("_numbers", "_texts")

    def __init__(self, texts: Sequence[str]) -> None:
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        self._texts = list(numbers)
        self._numbers = array("I", [numbers[text] for text in texts])

    def __len__(self) -> int:
        return len(self._numbers)

    def _at(self, number: int) -> str:
        return self._texts[self._numbers[number]]
