"""Cut a text into segments at the spans marked in it. Pure.

Of overlapping marks, the longest is shown. Ties go to the higher score, then to the first entity type by name, then to
the earlier mark.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from profiles.spans import EntitySpan, Span


@dataclass(frozen=True, slots=True)
class Highlight(Span):
    """A span that a person chose or searched for. Its meaning is an attribute, or a search hit."""

    meaning: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text, the mark that covers it (if any), and the meanings of the highlights that cover it.

    `goes_on`: the mark started in an earlier piece, because the edge of a highlight cuts through it.
    """

    text: str
    mark: EntitySpan | None = None
    meanings: tuple[str, ...] = ()
    goes_on: bool = False


def segments(text: str, marks: Sequence[EntitySpan]) -> list[Segment]:
    """Cut the text at its marks. Joining the pieces restores the text."""
    pieces, end = [], 0
    for mark in winners(marks):
        pieces += [Segment(text[end : mark.start]), Segment(mark.text_of(text), mark)]
        end = mark.end
    return [piece for piece in (*pieces, Segment(text[end:])) if piece.text]


def layered(text: str, marks: Sequence[EntitySpan], highlights: Sequence[Highlight]) -> list[Segment]:
    """Like `segments`, but also cut where a highlight starts or ends, with the highlights that cover each piece."""
    whole = segments(text, marks)
    if not highlights:
        return whole
    cuts = sorted({cut for highlight in highlights for cut in (highlight.start, highlight.end)})
    return list(_cut_again(whole, cuts, highlights))


def _cut_again(whole: Sequence[Segment], cuts: Sequence[int], highlights: Sequence[Highlight]) -> Iterator[Segment]:
    start = 0
    for segment in whole:
        end = start + len(segment.text)
        edges = [start, *(cut for cut in cuts if start < cut < end), end]
        for piece in (Span(*cut) for cut in pairwise(edges)):
            meanings = {highlight.meaning: None for highlight in highlights if highlight.covers(piece)}
            text = segment.text[piece.start - start : piece.end - start]
            goes_on = segment.mark is not None and piece.start > start
            yield Segment(text, segment.mark, tuple(meanings), goes_on=goes_on)
        start = end


def occurrences(text: str, words: str, *, limit: int = 200) -> list[Span]:
    """Where the words occur in the text, ignoring case, without overlaps."""
    if not words:
        return []
    matches = re.finditer(re.escape(words), text, re.IGNORECASE)
    return [Span(*match.span()) for match, _ in zip(matches, range(limit), strict=False)]


def winners(marks: Sequence[EntitySpan]) -> list[EntitySpan]:
    """The marks that are shown, in order, without overlaps."""
    shown: list[EntitySpan] = []
    for mark in sorted(marks, key=_rank):
        index = bisect_left(shown, mark.end, key=lambda other: other.start)
        taken_to = shown[index - 1].end if index else 0
        if taken_to <= mark.start < mark.end:
            shown.insert(index, mark)
    return shown


def _rank(mark: EntitySpan) -> tuple[int, float, str, int]:
    return -mark.length, -mark.score, mark.entity_type, mark.start
