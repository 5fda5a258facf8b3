"""All texts as one array of characters, so that numpy can find words and count characters.

Positions count through all documents: `offsets[document] + position`. A zero stands after each text, so that no word
and no run of characters reaches from one document into the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evaluation.spans.tables import SpanTable
from evaluation.stats.panel import Bools, Ints

UNICODE = 0x110000
Characters = npt.NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Texts:
    """`lengths` are in code points, as are the offsets of spans."""

    documents: Sequence[str]
    characters: Characters
    lengths: Ints

    @cached_property
    def offsets(self) -> Ints:
        return np.cumsum(self.lengths + 1) - self.lengths - 1

    @cached_property
    def words(self) -> "Words":
        """What the regular expression `\\w+` finds."""
        present = np.zeros(UNICODE, bool)
        present[self.characters] = True
        table = np.zeros(UNICODE, np.int8)
        table[[code for code in np.flatnonzero(present).tolist() if chr(code).isalnum() or chr(code) == "_"]] = 1
        edges = np.diff(table[self.characters], prepend=np.int8(0), append=np.int8(0))
        return Words(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1))

    def positions(self, table: SpanTable) -> tuple[Ints, Ints]:
        """Where each span begins and ends. What lies beyond a text is cut off."""
        offsets, lengths = self.offsets[table.documents], self.lengths[table.documents]
        return offsets + np.minimum(table.starts, lengths), offsets + np.minimum(table.ends, lengths)

    def marks(self, characters: str) -> Bools:
        """Which positions hold any of these characters."""
        table = np.zeros(UNICODE, bool)
        table[[ord(character) for character in characters]] = True
        return table[self.characters]


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Where each word begins and ends."""

    starts: Ints
    ends: Ints

    def touched(self, begins: Ints, ends: Ints) -> tuple[Ints, Ints]:
        """The half-open range of words that share a character with each span. Empty if there are none."""
        return np.searchsorted(self.ends, begins, "right"), np.searchsorted(self.starts, ends, "left")


def build_texts(texts: Sequence[str]) -> Texts:
    joined = "".join(f"{text}\0" for text in texts)
    characters = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    return Texts(texts, characters, np.array([len(text) for text in texts], np.int64))
