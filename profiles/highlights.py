"""Cut a text into segments at the spans marked in it. Pure.

Of overlapping marks, the longest is shown. Ties go to the higher score, then to the first entity type by name, then to
the earlier mark.
"""

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from profiles.spans import EntitySpan, Span

MAX_OCCURRENCES = 200


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
    return list(_cut_again(whole, highlights))


def _cut_again(whole: Sequence[Segment], highlights: Sequence[Highlight]) -> Iterator[Segment]:
    """One sweep over the text: a comment may have thousands of highlights."""
    cuts = sorted({cut for highlight in highlights for cut in (highlight.start, highlight.end)})
    covers = _Covers(highlights)
    start = number = 0
    for segment in whole:
        end, edges = start + len(segment.text), [start]
        number = bisect_right(cuts, start, number)
        while number < len(cuts) and cuts[number] < end:
            edges.append(cuts[number])
            number += 1
        for first, last in pairwise([*edges, end]):
            goes_on = segment.mark is not None and first > start
            text = segment.text[first - start : last - start]
            yield Segment(text, segment.mark, covers.meanings_at(first), goes_on=goes_on)
        start = end


class _Covers:
    """The highlights that cover a position, for positions that only go up."""

    def __init__(self, highlights: Sequence[Highlight]) -> None:
        self._waiting = sorted(enumerate(highlights), key=lambda item: item[1].start, reverse=True)
        self._open: list[tuple[int, Highlight]] = []

    def meanings_at(self, position: int) -> tuple[str, ...]:
        """In the order in which the highlights were given, each meaning once."""
        while self._waiting and self._waiting[-1][1].start <= position:
            insort(self._open, self._waiting.pop(), key=itemgetter(0))
        self._open = [item for item in self._open if item[1].end > position]
        return tuple(dict.fromkeys(highlight.meaning for _, highlight in self._open))


def occurrences(text: str, words: str, *, limit: int = MAX_OCCURRENCES) -> list[Span]:
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
