"""Text and the stretches marked in it, cut into segments. Pure.

The one rule for what is shown where marks overlap: the longest wins, then the higher score,
then the entity type by its name, then the earlier start.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """What a detection says about a text: `[start, end)` in code points."""

    entity_type: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text, with the mark that covers it or none."""

    text: str
    mark: Mark | None = None


def segments(text: str, marks: Sequence[Mark]) -> list[Segment]:
    """The text in pieces. Put together they are the text again, to the last character."""
    pieces, end = [], 0
    for mark in winners(marks):
        pieces += [Segment(text[end : mark.start]), Segment(text[mark.start : mark.end], mark)]
        end = mark.end
    return [piece for piece in (*pieces, Segment(text[end:])) if piece.text]


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
