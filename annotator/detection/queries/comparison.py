"""Compare two runs over the same comments.

Each detection of a run has one of four matches in the other run: the same detection, the same span with another entity
type, an overlapping span with other boundaries, or nothing.
"""

import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Any

from django.db import connection

from annotator.charts.hbars import HorizontalBars, Row, hbars
from annotator.core.formatting import number, percent
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
from annotator.detection.queries.ranges import Range, cut_off, intersect
from annotator.detection.queries.sql import ANALYSED_BY_BOTH, MATCHES
from profiles.models import DetectionRun

MAX_COMMENTS = 200_000
EXCERPTS, STRINGS = 20, 15
BOTH, OTHER_TYPE, OVERLAP, ONLY = "both", "type", "overlap", "only"
MATCH_LABELS = ("Identical", "Other type", "Other boundaries", "Only {}")


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """Detections of one run and kind, counted by their match in the other run."""

    both: int = 0
    other_type: int = 0
    overlap: int = 0
    only: int = 0

    @property
    def all(self) -> int:
        return self.both + self.other_type + self.overlap + self.only


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs."""

    run: DetectionRun
    by_kind: dict[str, MatchCounts]
    only: list[Excerpt]
    strings: list[FrequentStrings]

    @property
    def total(self) -> MatchCounts:
        return MatchCounts(*map(sum, zip(*map(astuple, self.by_kind.values()), strict=True)))


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    kind: Kind | None  # None for the total
    a: MatchCounts
    b: MatchCounts


@dataclass(frozen=True, slots=True)
class Comparison:
    a: Side
    b: Side
    comments: int
    is_limited: bool

    @property
    def rows(self) -> list[ComparisonRow]:
        """A row for each entity type that either run found, most frequent first."""
        names = self.a.by_kind.keys() | self.b.by_kind.keys()
        rows = [
            ComparisonRow(kind_of(name), self._counts(self.a, name), self._counts(self.b, name))
            for name in sorted(names)
        ]
        return sorted(rows, key=lambda row: -(row.a.all + row.b.all))

    @property
    def total(self) -> ComparisonRow:
        return ComparisonRow(None, self.a.total, self.b.total)

    @property
    def charts(self) -> list[HorizontalBars]:
        """One chart per run, on the same scale."""
        longest = max(*astuple(self.a.total), *astuple(self.b.total), 1)
        return [_chart("A", self.a, longest), _chart("B", self.b, longest)]

    @staticmethod
    def _counts(side: Side, name: str) -> MatchCounts:
        return side.by_kind.get(name, MatchCounts())


def compare(a: DetectionRun, b: DetectionRun, seed: int = 1) -> Comparison:
    """Compare two runs over the comments that both analysed, up to MAX_COMMENTS. 5 queries."""
    ranges = intersect(_analysed(a), _analysed(b))
    last, comments, is_limited = _limit(a, b, ranges)
    ranges = cut_off(ranges, last)
    return Comparison(_side(a, b, ranges, seed), _side(b, a, ranges, seed), comments, is_limited)


def _chart(name: str, side: Side, longest: int) -> HorizontalBars:
    counts = zip(MATCH_LABELS, astuple(side.total), strict=True)
    rows = [Row(label.format(name), count, percent(count / (side.total.all or 1))) for label, count in counts]
    return hbars(f"{name} found {number(side.total.all)}", rows, longest=longest)


def _analysed(run: DetectionRun) -> Iterable[Range]:
    return run.chunks.done().values_list("first_comment", "last_comment")


def _limit(a: DetectionRun, b: DetectionRun, ranges: list[Range]) -> tuple[int, int, bool]:
    """Return the last comment to compare, how many there are, and whether some were left out."""
    [(last, count, is_limited)] = _rows(
        ANALYSED_BY_BOTH, ranges, {"a": a.pk, "b": b.pk, "corpus": a.corpus_id, "limit": MAX_COMMENTS}
    )
    return last or 0, count, is_limited


def _side(run: DetectionRun, other: DetectionRun, ranges: list[Range], seed: int) -> Side:
    parameters = {"run": run.pk, "other": other.pk, "seed": seed, "excerpts": EXCERPTS, "strings": STRINGS}
    [(counts, excerpts, strings)] = _rows(
        MATCHES, ranges, parameters | {"around": CONTEXT_LENGTH + 1, "longest": MAX_TEXT_LENGTH}
    )
    only = [excerpt_of(row) for row in _read(excerpts)]
    return Side(run, _match_counts(_read(counts)), only, frequent_strings(_read(strings)))


def _match_counts(counts: Iterable[tuple[str, str, int]]) -> dict[str, MatchCounts]:
    by_kind: dict[str, dict[str, int]] = {}
    for name, match, count in counts:
        by_kind.setdefault(name, {})[match] = count
    order = (BOTH, OTHER_TYPE, OVERLAP, ONLY)
    return {
        name: MatchCounts(*(counts_by_match.get(match, 0) for match in order))
        for name, counts_by_match in by_kind.items()
    }


def _read(column: Any) -> list[Any]:
    return json.loads(column) if isinstance(column, str) else column or []


def _rows(query: str, ranges: list[Range], parameters: dict[str, Any]) -> list[Any]:
    firsts, lasts = [first for first, _ in ranges], [last for _, last in ranges]
    with connection.cursor() as cursor:
        cursor.execute(query, parameters | {"firsts": firsts, "lasts": lasts})
        return list(cursor.fetchall())
