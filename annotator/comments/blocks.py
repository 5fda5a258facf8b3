"""A profile's comments in reading order, a block at a time, with or without a filter.

Ordered by subreddit, ignoring case, then by date. The counts per subreddit locate a block, so that the last block of
20,000 comments costs as much as the first. Positions start at 0 and count the comments that match the filter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from annotator.comments.blocks_sql import (
    ALL_CHAPTERS,
    BLOCK_ROWS,
    COMMENT_POSITION,
    COMMENT_ROW,
    DETECTION_POSITIONS,
    FILTERED_CHAPTERS,
    HIT_POSITIONS,
    ORDER,
)
from annotator.comments.filters import CommentFilter
from annotator.comments.markup import markup
from annotator.core.evidence import EvidenceSpan
from profiles.highlights import MAX_OCCURRENCES, Highlight, Segment, layered, occurrences
from profiles.models import DetectionRun, Profile, Unanalysed
from profiles.spans import EntitySpan
from profiles.statements import prepared_cursor

BLOCK_SIZE = 50
HITS = ("hit-a", "hit-b")  # in turn, so that adjacent hits can be told apart


@dataclass(frozen=True, slots=True)
class Chapter:
    """One subreddit: how many matching comments it has, and the position of the first."""

    subreddit_id: int
    name: str
    count: int
    first: int


@dataclass(frozen=True, slots=True)
class BlockComment:
    pk: int
    written_at: datetime
    segments: list[Segment]
    unanalysed: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """The comments of one subreddit in one block."""

    chapter: Chapter
    first: int  # counted within the chapter, from 1
    comments: list[BlockComment]
    hint: str = ""

    @property
    def last(self) -> int:
        return self.first + len(self.comments) - 1


@dataclass(frozen=True, slots=True)
class CommentSelection:
    """Which comments of a profile to show, with which detections, evidence and hints."""

    profile: Profile
    run: DetectionRun | None
    filter: CommentFilter = field(default_factory=CommentFilter)
    evidence: dict[int, list[Highlight]] = field(default_factory=dict)
    hints: dict[str, str] = field(default_factory=dict)  # in words, by subreddit

    @property
    def condition(self) -> tuple[str, dict[str, Any]]:
        """The filter as SQL, with all values that the statements need."""
        sql, values = self.filter.condition
        return sql, values | {"profile": self.profile.pk, "run": self.run.pk if self.run else None}


def highlights_of(evidence: Sequence[tuple[str, EvidenceSpan]]) -> dict[int, list[Highlight]]:
    """Attributes and their evidence as highlights, by comment."""
    highlights: dict[int, list[Highlight]] = {}
    for attribute, span in evidence:
        highlights.setdefault(span.comment, []).append(Highlight(span.start, span.end, attribute))
    return highlights


def chapters(selection: CommentSelection) -> list[Chapter]:
    """1 query."""
    with prepared_cursor() as cursor:
        if selection.filter.is_all:
            cursor.execute(ALL_CHAPTERS, {"profile": selection.profile.pk})
        else:
            condition, values = selection.condition
            cursor.execute(FILTERED_CHAPTERS.format(condition=condition), values)
        rows = sorted(cursor.fetchall(), key=lambda row: (row[1].lower(), row[0]))
    return _add_positions(rows)


def by_count(chapters: Iterable[Chapter]) -> list[Chapter]:
    """Largest first."""
    return sorted(chapters, key=lambda chapter: (-chapter.count, chapter.first))


def only(chapter: Chapter) -> list[Chapter]:
    """The chapters if only this subreddit is shown, without counting again."""
    return [replace(chapter, first=0)]


def read_block(
    selection: CommentSelection, chapters: Sequence[Chapter], first: int, size: int = BLOCK_SIZE
) -> list[Part]:
    """A block of comments from a position on, grouped by subreddit. 1 query."""
    pieces = [piece for chapter in chapters if (piece := _piece(chapter, first, first + size))]
    condition, values = selection.condition
    values |= {
        "subreddits": [chapter.subreddit_id for chapter, _, _ in pieces],
        "skips": [skip for _, skip, _ in pieces],
        "takes": [take for _, _, take in pieces],
    }
    with prepared_cursor() as cursor:
        cursor.execute(BLOCK_ROWS.format(condition=condition), values)
        by_piece = {n: list(rows) for n, rows in groupby(cursor.fetchall(), key=itemgetter(0))}
    return [
        Part(
            chapter,
            skip + 1,
            [_comment(selection, row) for row in by_piece[number]],
            selection.hints.get(chapter.name, ""),
        )
        for number, (chapter, skip, _) in enumerate(pieces, start=1)
        if number in by_piece
    ]


def read_comment(selection: CommentSelection, comment: int) -> BlockComment | None:
    """One comment by its id. 1 query."""
    with prepared_cursor() as cursor:
        run = selection.run.pk if selection.run else None
        cursor.execute(COMMENT_ROW, {"profile": selection.profile.pk, "run": run, "comment": comment})
        row = cursor.fetchone()
    return _comment(selection, row) if row else None


def detection_positions(selection: CommentSelection, entity_type: str = "", text: str = "") -> list[tuple[int, ...]]:
    """Comments with detections of this type and text: position, id, and how many each has. 2 queries."""
    return _positions(selection, DETECTION_POSITIONS, type=entity_type, text=text)


def hit_positions(selection: CommentSelection) -> list[tuple[int, ...]]:
    """Comments in which the words of the search occur: position, id, and how often. 2 queries.

    Counts are those of Postgres. Where its idea of upper and lower case differs from Python's, a page may mark fewer.
    """
    words = selection.filter.words
    limits = {"words": words, "like": selection.filter.like, "limit": MAX_OCCURRENCES}
    return _positions(selection, HIT_POSITIONS, **limits) if words else []


def comment_position(selection: CommentSelection, comment: int) -> list[tuple[int, ...]]:
    """Position and id of a comment if it matches, in a list like that of `detection_positions`. 2 queries."""
    return _positions(selection, COMMENT_POSITION, comment=comment)


def all_positions(selection: CommentSelection) -> list[tuple[int, ...]]:
    """Position and id of every comment that matches. 2 queries."""
    return _positions(selection, ORDER)


def _positions(selection: CommentSelection, statement: str, **more: object) -> list[tuple[int, ...]]:
    condition, values = selection.condition
    values |= {"order": [chapter.subreddit_id for chapter in chapters(selection)], **more}
    with prepared_cursor() as cursor:
        cursor.execute(statement.format(condition=condition), values)
        return list(cursor.fetchall())


def _add_positions(rows: Sequence[tuple[int, str, int]]) -> list[Chapter]:
    chapters, first = [], 0
    for subreddit_id, name, count in rows:
        chapters.append(Chapter(subreddit_id, name, count, first))
        first += count
    return chapters


def _piece(chapter: Chapter, first: int, end: int) -> tuple[Chapter, int, int] | None:
    """How many comments of a chapter to skip and to take for the block from `first` to `end`."""
    begin, stop = max(first, chapter.first), min(end, chapter.first + chapter.count)
    return (chapter, begin - chapter.first, stop - begin) if begin < stop else None


def _comment(selection: CommentSelection, row: Sequence[Any]) -> BlockComment:
    _, pk, written_at, body, detections, reason = row
    hits = occurrences(body, selection.filter.words)
    highlights = [Highlight(hit.start, hit.end, HITS[number % 2]) for number, hit in enumerate(hits)]
    marks = [EntitySpan(*detection) for detection in detections or ()]
    pieces = layered(body, marks, [*selection.evidence.get(pk, ()), *highlights, *markup(body)])
    return BlockComment(pk, written_at, pieces, Unanalysed.Reason(reason).label if reason else "")
