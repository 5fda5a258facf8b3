"""Two runs over the same comments: what did one find that the other did not?

Each detection of a run falls into one of four heaps: the other run has the same one; it has the same span as
another entity type; it has something that overlaps, with other boundaries; it has nothing there.
"""

import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Any

from django.db import connection

from annotator.charts.hbars import HorizontalBars, Row, hbars
from annotator.core.formatting import number, percent
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
from annotator.detection.queries.ranges import Range, common, until
from annotator.detection.queries.sql import ANALYSED_BY_BOTH, SORTED_INTO_HEAPS
from profiles.models import DetectionRun

MOST_COMMENTS = 200_000
EXCERPTS, STRINGS = 20, 15
BOTH, OTHER_TYPE, OVERLAP, ONLY = "both", "type", "overlap", "only"
HEAPS = ("Both alike", "Other type", "Other boundaries", "Only {}")


@dataclass(frozen=True, slots=True)
class Heaps:
    """How many detections of one kind fell where, of one run."""

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
    heaps: dict[str, Heaps]
    only: list[Excerpt]
    strings: list[Strings]

    @property
    def total(self) -> Heaps:
        return Heaps(*map(sum, zip(*map(astuple, self.heaps.values()), strict=True)))


@dataclass(frozen=True, slots=True)
class Line:
    kind: Kind | None  # None: all of them
    a: Heaps
    b: Heaps


@dataclass(frozen=True, slots=True)
class Comparison:
    a: Side
    b: Side
    comments: int
    is_limited: bool

    @property
    def lines(self) -> list[Line]:
        """A line for each entity type that either run found, the most frequent first."""
        names = self.a.heaps.keys() | self.b.heaps.keys()
        lines = [Line(kind_of(name), self._of(self.a, name), self._of(self.b, name)) for name in sorted(names)]
        return sorted(lines, key=lambda line: -(line.a.all + line.b.all))

    @property
    def total(self) -> Line:
        return Line(None, self.a.total, self.b.total)

    @property
    def charts(self) -> list[HorizontalBars]:
        """One for each run, on the same scale."""
        longest = max(*astuple(self.a.total), *astuple(self.b.total), 1)
        return [_chart("A", self.a, longest), _chart("B", self.b, longest)]

    @staticmethod
    def _of(side: Side, name: str) -> Heaps:
        return side.heaps.get(name, Heaps())


def compare(a: DetectionRun, b: DetectionRun, seed: int = 1) -> Comparison:
    """Over the comments that both have analysed, the first so many of them. 5 queries."""
    ranges = common(_analysed(a), _analysed(b))
    last, comments, is_limited = _limit(a, b, ranges)
    ranges = until(ranges, last)
    return Comparison(_side(a, b, ranges, seed), _side(b, a, ranges, seed), comments, is_limited)


def _chart(name: str, side: Side, longest: int) -> HorizontalBars:
    heaps = zip(HEAPS, astuple(side.total), strict=True)
    rows = [Row(label.format(name), count, percent(count / (side.total.all or 1))) for label, count in heaps]
    return hbars(f"{name} found {number(side.total.all)}", rows, longest=longest)


def _analysed(run: DetectionRun) -> Iterable[Range]:
    return run.chunks.done().values_list("first_comment", "last_comment")


def _limit(a: DetectionRun, b: DetectionRun, ranges: list[Range]) -> tuple[int, int, bool]:
    """The last comment to look at, how many that are, and whether there are more."""
    [(last, count, is_limited)] = _rows(
        ANALYSED_BY_BOTH, ranges, {"a": a.pk, "b": b.pk, "corpus": a.corpus_id, "most": MOST_COMMENTS}
    )
    return last or 0, count, is_limited


def _side(run: DetectionRun, other: DetectionRun, ranges: list[Range], seed: int) -> Side:
    about = {"run": run.pk, "other": other.pk, "seed": seed, "excerpts": EXCERPTS, "strings": STRINGS}
    [(counts, excerpts, strings)] = _rows(SORTED_INTO_HEAPS, ranges, about | {"around": AROUND + 1, "longest": LONGEST})
    only = [excerpt_of(row) for row in _read(excerpts)]
    return Side(run, _heaps(_read(counts)), only, strings_of(_read(strings)))


def _heaps(counts: Iterable[tuple[str, str, int]]) -> dict[str, Heaps]:
    by_kind: dict[str, dict[str, int]] = {}
    for name, heap, count in counts:
        by_kind.setdefault(name, {})[heap] = count
    order = (BOTH, OTHER_TYPE, OVERLAP, ONLY)
    return {name: Heaps(*(counted.get(heap, 0) for heap in order)) for name, counted in by_kind.items()}


def _read(column: Any) -> list[Any]:
    return json.loads(column) if isinstance(column, str) else column or []


def _rows(query: str, ranges: list[Range], about: dict[str, Any]) -> list[Any]:
    firsts, lasts = [first for first, _ in ranges], [last for _, last in ranges]
    with connection.cursor() as cursor:
        cursor.execute(query, about | {"firsts": firsts, "lasts": lasts})
        return list(cursor.fetchall())
