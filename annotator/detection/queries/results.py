"""Results of a run. Counting a large run would take too long, so only its newest chunks are counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from annotator.charts.hbars import HorizontalBars, Row, hbars
from annotator.core.formatting import percent
from annotator.detection.queries.entity_types import (
    CONTEXT_LENGTH,
    MAX_TEXT_LENGTH,
    Excerpt,
    FrequentStrings,
    Kind,
    excerpt_of,
    frequent_strings,
    kind_of,
)
from annotator.detection.queries.ranges import Range, merge
from annotator.detection.queries.sql import COUNTS_BY_SUBREDDIT, COUNTS_BY_TYPE, FREQUENT_STRINGS, SAMPLE
from annotator.detection.queries.tally import Tally
from profiles.models import DetectionRun

MAX_DETECTIONS = 500_000
MAX_COMMENTS = 1_000_000
SAMPLE_COMMENTS, SAMPLE_CHUNKS = 100_000, 5000
SUBREDDITS, STRINGS, EXCERPTS = 20, 15, 20


@dataclass(frozen=True, slots=True)
class Scope:
    """The comments that were counted."""

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
class SubredditCount:
    subreddit: str
    detections: int
    comments: int

    @property
    def per_hundred(self) -> float:
        return round(100 * self.detections / self.comments, 1)


@dataclass(frozen=True, slots=True)
class ResultsPage:
    scope: Scope
    kinds: list[KindCount]
    subreddits: list[SubredditCount]
    strings: list[FrequentStrings]
    excerpts: list[Excerpt]

    @property
    def detections(self) -> int:
        return sum(kind.detections for kind in self.kinds)

    @property
    def chart(self) -> HorizontalBars:
        rows = [
            Row(row.kind.label, row.detections, percent(row.detections / self.detections), row.kind.hue)
            for row in self.kinds
        ]
        return hbars("Detections by entity type", rows)


def results_page(run: DetectionRun, tally: Tally, seed: int = 1) -> ResultsPage:
    """5 queries, however many detections there are."""
    scope = scope_of(run, tally)
    subreddits = _rows(COUNTS_BY_SUBREDDIT, scope, corpus=run.corpus_id, limit=SUBREDDITS)
    return ResultsPage(
        scope=scope,
        kinds=[KindCount(kind_of(name), *counts) for name, *counts in _rows(COUNTS_BY_TYPE, scope)],
        subreddits=[SubredditCount(*row) for row in subreddits],
        strings=frequent_strings(_rows(FREQUENT_STRINGS, scope, limit=STRINGS, longest=MAX_TEXT_LENGTH)),
        excerpts=[excerpt_of(row) for row in _sample(scope, seed)],
    )


def _sample(scope: Scope, seed: int) -> list[Sequence[Any]]:
    return _rows(SAMPLE, scope, limit=EXCERPTS, seed=seed, around=CONTEXT_LENGTH + 1, longest=MAX_TEXT_LENGTH)


def scope_of(run: DetectionRun, tally: Tally) -> Scope:
    """All finished chunks, or only the newest ones of a large run. 1 query."""
    is_large = tally.found > MAX_DETECTIONS or tally.done > MAX_COMMENTS
    chunks = run.chunks.done().order_by("-done_at", "-pk").values_list("first_comment", "last_comment", "comment_count")
    ranges: list[Range] = []
    comments = 0
    for first, last, count in chunks[:SAMPLE_CHUNKS] if is_large else chunks:
        if is_large and comments + count > SAMPLE_COMMENTS and ranges:
            return Scope(run, merge(ranges), comments, is_sample=True)
        ranges.append((first, last))
        comments += count
    return Scope(run, merge(ranges), comments, is_sample=len(ranges) == SAMPLE_CHUNKS and is_large)


def _rows(query: str, scope: Scope, **parameters: Any) -> list[Sequence[Any]]:
    firsts, lasts = [first for first, _ in scope.ranges], [last for _, last in scope.ranges]
    with connection.cursor() as cursor:
        cursor.execute(query, parameters | {"firsts": firsts, "lasts": lasts, "run": scope.run.pk})
        return list(cursor.fetchall())
