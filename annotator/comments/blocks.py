"""The comments of one profile in reading order, a block at a time, all of them or those a reader asked for.

By subreddit without regard to case, then date. Where a block lies follows from counts by subreddit, so that the
last block of twenty thousand comments costs what the first does. Positions count from 0 over all that is wanted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import connection

from annotator.comments.blocks_sql import ALL_CHAPTERS, BLOCK_ROWS, ONE_ROW, PLACES, POSITION, SOME_CHAPTERS
from annotator.comments.filters import Wanted
from annotator.core.evidence import EvidenceSpan
from profiles.highlights import Highlight, Segment, layered, occurrences
from profiles.models import DetectionRun, Profile, Unanalysed
from profiles.spans import EntitySpan

BLOCK = 50
HIT = "hit"


@dataclass(frozen=True, slots=True)
class Chapter:
    """One subreddit: how many wanted comments it has, and where they begin."""

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
class Reader:
    """Whose comments are read, with whose marks, and what the reader marked in them."""

    profile: Profile
    run: DetectionRun | None
    wanted: Wanted = field(default_factory=Wanted)
    evidence: dict[int, list[Highlight]] = field(default_factory=dict)
    hints: dict[str, str] = field(default_factory=dict)  # in words, by subreddit

    @property
    def limits(self) -> tuple[str, dict[str, Any]]:
        return _limits(self)


def highlights_of(evidence: Sequence[tuple[str, EvidenceSpan]]) -> dict[int, list[Highlight]]:
    """Attributes and their evidence as highlights, by comment."""
    highlights: dict[int, list[Highlight]] = {}
    for attribute, span in evidence:
        highlights.setdefault(span.comment, []).append(Highlight(span.start, span.end, attribute))
    return highlights


def chapters(reader: Reader) -> list[Chapter]:
    """1 query."""
    with connection.cursor() as cursor:
        if reader.wanted.is_all:
            cursor.execute(ALL_CHAPTERS, {"profile": reader.profile.pk})
        else:
            limits, values = reader.limits
            cursor.execute(SOME_CHAPTERS.format(limits=limits), values)
        rows = sorted(cursor.fetchall(), key=lambda row: (row[1].lower(), row[0]))
    return _laid_out(rows)


def by_count(laid_out: Iterable[Chapter]) -> list[Chapter]:
    """The largest first."""
    return sorted(laid_out, key=lambda chapter: (-chapter.count, chapter.first))


def alone(chapter: Chapter) -> list[Chapter]:
    """One subreddit, as if nothing else had been written. As `chapters`, but nothing is counted again."""
    return [replace(chapter, first=0)]


def read_block(reader: Reader, laid_out: Sequence[Chapter], first: int, size: int = BLOCK) -> list[Part]:
    """The comments from one position on, by subreddit. 1 query."""
    pieces = [piece for chapter in laid_out if (piece := _piece(chapter, first, first + size))]
    limits, values = reader.limits
    values |= {
        "subreddits": [chapter.subreddit_id for chapter, _, _ in pieces],
        "skips": [skip for _, skip, _ in pieces],
        "takes": [take for _, _, take in pieces],
    }
    with connection.cursor() as cursor:
        cursor.execute(BLOCK_ROWS.format(limits=limits), values)
        by_piece = {n: list(rows) for n, rows in groupby(cursor.fetchall(), key=itemgetter(0))}
    return [
        Part(chapter, skip + 1, [_comment(reader, row) for row in by_piece[number]], reader.hints.get(chapter.name, ""))
        for number, (chapter, skip, _) in enumerate(pieces, start=1)
        if number in by_piece
    ]


def read_comment(reader: Reader, comment: int) -> BlockComment | None:
    """One comment by its number. 1 query."""
    with connection.cursor() as cursor:
        run = reader.run.pk if reader.run else None
        cursor.execute(ONE_ROW, {"profile": reader.profile.pk, "run": run, "comment": comment})
        row = cursor.fetchone()
    return _comment(reader, row) if row else None


def places_found(reader: Reader, entity_type: str = "", text: str = "") -> list[tuple[int, int]]:
    """Position and number of each wanted comment in which something was found, of a type and a spelling. 2 queries."""
    limits, values = reader.limits
    order = [chapter.subreddit_id for chapter in chapters(reader)]
    values |= {"order": order, "type": entity_type, "text": text}
    with connection.cursor() as cursor:
        cursor.execute(PLACES.format(limits=limits), values)
        return list(cursor.fetchall())


def position_of(reader: Reader, comment: int) -> list[tuple[int, int]]:
    """Where a comment stands among those wanted, in the shape of `places_found`. 2 queries."""
    limits, values = reader.limits
    values |= {"order": [chapter.subreddit_id for chapter in chapters(reader)], "comment": comment}
    with connection.cursor() as cursor:
        cursor.execute(POSITION.format(limits=limits), values)
        return list(cursor.fetchall())


def _laid_out(rows: Sequence[tuple[int, str, int]]) -> list[Chapter]:
    laid_out, first = [], 0
    for subreddit_id, name, count in rows:
        laid_out.append(Chapter(subreddit_id, name, count, first))
        first += count
    return laid_out


def _piece(chapter: Chapter, first: int, end: int) -> tuple[Chapter, int, int] | None:
    """What a block from `first` to `end` takes of a chapter: how many to skip and how many to take."""
    begin, stop = max(first, chapter.first), min(end, chapter.first + chapter.count)
    return (chapter, begin - chapter.first, stop - begin) if begin < stop else None


def _comment(reader: Reader, row: Sequence[Any]) -> BlockComment:
    _, pk, written_at, body, detections, reason = row
    hits = [Highlight(hit.start, hit.end, HIT) for hit in occurrences(body, reader.wanted.words)]
    marks = [EntitySpan(*detection) for detection in detections or ()]
    pieces = layered(body, marks, [*reader.evidence.get(pk, ()), *hits])
    return BlockComment(pk, written_at, pieces, Unanalysed.Reason(reason).label if reason else "")


def _limits(reader: Reader) -> tuple[str, dict[str, Any]]:
    """The conditions on a comment beyond its profile, and the values in them."""
    wanted, limits = reader.wanted, ""
    values: dict[str, Any] = {"profile": reader.profile.pk, "run": reader.run.pk if reader.run else None}
    if wanted.words:
        limits += " AND comment.body ILIKE %(like)s"
        values["like"] = "%" + wanted.words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    if wanted.subreddit:
        limits += " AND comment.subreddit_id = (SELECT id FROM profiles_subreddit WHERE lower(name) = lower(%(sub)s))"
        values["sub"] = wanted.subreddit
    if wanted.year:
        limits += " AND comment.written_at >= make_timestamptz(%(year)s, 1, 1, 0, 0, 0, 'UTC')"
        limits += " AND comment.written_at < make_timestamptz(%(year)s + 1, 1, 1, 0, 0, 0, 'UTC')"
        values["year"] = wanted.year
    if wanted.found_only:
        limits += " AND EXISTS (SELECT FROM profiles_detection WHERE comment_id = comment.id AND run_id = %(run)s)"
    return limits, values
