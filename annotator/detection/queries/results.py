"""What a run found. Too much to count while somebody waits, so for a large run the newest chunks stand for all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from annotator.charts.hbars import HorizontalBars, Row, hbars
from annotator.core.formatting import percent
from annotator.detection.queries.entity_types import (
    AROUND,
    LONGEST,
    Excerpt,
    Kind,
    Strings,
    excerpt_of,
    kind_of,
    strings_of,
)
from annotator.detection.queries.ranges import Range, merged
from annotator.detection.queries.sql import BY_KIND, BY_SUBREDDIT, DRAWN, MOST_FREQUENT
from annotator.detection.queries.tally import Tally
from profiles.models import DetectionRun

MOST_DETECTIONS = 500_000
MOST_COMMENTS = 1_000_000
SAMPLE_COMMENTS, SAMPLE_CHUNKS = 100_000, 5000
SUBREDDITS, STRINGS, EXCERPTS = 20, 15, 20


@dataclass(frozen=True, slots=True)
class Scope:
    """Which comments the numbers are about."""

    run: DetectionRun
    ranges: list[Range]
    comments: int
    is_sample: bool


@dataclass(frozen=True, slots=True)
class KindCount:
    kind: Kind
    detections: int
    comments: int


@dataclass(frozen=True, slots=True)
class PlaceCount:
    subreddit: str
    detections: int
    comments: int

    @property
    def per_hundred(self) -> float:
        return round(100 * self.detections / self.comments, 1)


@dataclass(frozen=True, slots=True)
class FoundPage:
    """All that the page shows of what a run found."""

    scope: Scope
    kinds: list[KindCount]
    places: list[PlaceCount]
    strings: list[Strings]
    excerpts: list[Excerpt]

    @property
    def detections(self) -> int:
        return sum(kind.detections for kind in self.kinds)

    @property
    def chart(self) -> HorizontalBars:
        rows = [
            Row(one.kind.label, one.detections, percent(one.detections / self.detections), one.kind.hue)
            for one in self.kinds
        ]
        return hbars("Detections by entity type", rows)


def found_page(run: DetectionRun, tally: Tally, seed: int = 1) -> FoundPage:
    """5 queries, however much was found."""
    scope = scope_of(run, tally)
    places = _rows(BY_SUBREDDIT, scope, corpus=run.corpus_id, most=SUBREDDITS)
    return FoundPage(
        scope=scope,
        kinds=[KindCount(kind_of(name), *counts) for name, *counts in _rows(BY_KIND, scope)],
        places=[PlaceCount(*row) for row in places],
        strings=strings_of(_rows(MOST_FREQUENT, scope, most=STRINGS, longest=LONGEST)),
        excerpts=[
            excerpt_of(row)
            for row in _rows(DRAWN, scope, most=EXCERPTS, seed=seed, around=AROUND + 1, longest=LONGEST)
        ],
    )  # fmt: skip


def scope_of(run: DetectionRun, tally: Tally) -> Scope:
    """Every chunk that is done; of a large run the newest ones. 1 query."""
    is_large = tally.found > MOST_DETECTIONS or tally.done > MOST_COMMENTS
    chunks = run.chunks.done().order_by("-done_at", "-pk").values_list("first_comment", "last_comment", "comment_count")
    ranges: list[Range] = []
    comments = 0
    for first, last, count in chunks[:SAMPLE_CHUNKS] if is_large else chunks:
        if is_large and comments + count > SAMPLE_COMMENTS and ranges:
            return Scope(run, merged(ranges), comments, is_sample=True)
        ranges.append((first, last))
        comments += count
    return Scope(run, merged(ranges), comments, is_sample=len(ranges) == SAMPLE_CHUNKS and is_large)


def _rows(query: str, scope: Scope, **more: Any) -> list[Sequence[Any]]:
    firsts, lasts = [first for first, _ in scope.ranges], [last for _, last in scope.ranges]
    with connection.cursor() as cursor:
        cursor.execute(query, more | {"firsts": firsts, "lasts": lasts, "run": scope.run.pk})
        return list(cursor.fetchall())
