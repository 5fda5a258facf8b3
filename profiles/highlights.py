"""Text and the stretches marked in it, cut into segments. Pure.

The one rule for what is shown where marks overlap: the longest wins, then the higher score,
then the entity type by its name, then the earlier start.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Mark:
    """What a detection says about a text: `[start, end)` in code points."""

    entity_type: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """What a person chose or looks for: `[start, end)` in code points, and what it is there for."""

    start: int
    end: int
    meaning: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text with all that covers it: a mark or none, and what it means to the person reading.

    `goes_on` says that the mark began in the piece before: something else only begins or ends inside it.
    """

    text: str
    mark: Mark | None = None
    meanings: tuple[str, ...] = ()
    goes_on: bool = False


def segments(text: str, marks: Sequence[Mark]) -> list[Segment]:
    """The text in pieces. Put together they are the text again, to the last character."""
    pieces, end = [], 0
    for mark in winners(marks):
        pieces += [Segment(text[end : mark.start]), Segment(text[mark.start : mark.end], mark)]
        end = mark.end
    return [piece for piece in (*pieces, Segment(text[end:])) if piece.text]


def layered(text: str, marks: Sequence[Mark], stretches: Sequence[Stretch]) -> list[Segment]:
    """As `segments`, cut again wherever a stretch begins or ends, and saying which stretches cover each piece."""
    whole = segments(text, marks)
    if not stretches:
        return whole
    cuts = sorted({place for stretch in stretches for place in (stretch.start, stretch.end)})
    return list(_cut_again(whole, cuts, stretches))


def _cut_again(whole: Sequence[Segment], cuts: Sequence[int], stretches: Sequence[Stretch]) -> Iterator[Segment]:
    start = 0
    for segment in whole:
        end = start + len(segment.text)
        edges = [start, *(cut for cut in cuts if start < cut < end), end]
        for one, other in pairwise(edges):
            meanings = {s.meaning: None for s in stretches if s.start <= one and other <= s.end}
            piece = segment.text[one - start : other - start]
            yield Segment(piece, segment.mark, tuple(meanings), goes_on=segment.mark is not None and one > start)
        start = end


def occurrences(text: str, words: str, *, most: int = 200) -> list[tuple[int, int]]:
    """Where the words stand in the text, without regard to case. No two overlap."""
    if not words:
        return []
    found = re.finditer(re.escape(words), text, re.IGNORECASE)
    return [match.span() for match, _ in zip(found, range(most), strict=False)]


def winners(marks: Sequence[Mark]) -> list[Mark]:
    """The marks that are shown, in the order of the text. No two of them overlap."""
    shown: list[Mark] = []
    for mark in sorted(marks, key=_rank):
        place = bisect_left(shown, mark.end, key=lambda other: other.start)
        taken_to = shown[place - 1].end if place else 0
        if taken_to <= mark.start < mark.end:
            shown.insert(place, mark)
    return shown


def _rank(mark: Mark) -> tuple[int, float, str, int]:
    return mark.start - mark.end, -mark.score, mark.entity_type, mark.start
