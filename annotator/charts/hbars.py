"""Horizontal bars, each with a name and a number; funnels are a special case."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from annotator.charts.scale import checked_counts
from annotator.core.formatting import number, percent


@dataclass(frozen=True, slots=True)
class Row:
    """Describe one bar. `hue` is an attribute or entity type, `href` the target of its link."""

    label: str
    value: float
    note: str = ""
    hue: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class HorizontalBar:
    """`share` is the length in percent of the longest bar."""

    label: str
    shown: str
    note: str
    hue: str
    href: str
    share: float


@dataclass(frozen=True, slots=True)
class HorizontalBars:
    title: str
    bars: tuple[HorizontalBar, ...]

    @property
    def has_notes(self) -> bool:
        return any(bar.note for bar in self.bars)


def hbars(title: str, rows: Sequence[Row], *, longest: float | None = None) -> HorizontalBars:
    """Bars in the given order. `longest` sets what a full bar means, such as 1 for shares."""
    values = checked_counts(row.value for row in rows)
    full = max([*values, 0.0]) if longest is None else longest
    if any(value > full for value in values):
        raise ValueError("A value is larger than the longest bar.")
    return HorizontalBars(title, tuple(_bar(row, full) for row in rows))


def _bar(row: Row, full: float) -> HorizontalBar:
    share = round(100 * (row.value / full), 2) if full else 0.0
    return HorizontalBar(row.label, number(row.value), row.note, row.hue, row.href, share)


def funnel(title: str, steps: Sequence[tuple[str, int]]) -> HorizontalBars:
    """Bars for what each step leaves, with its share of the step before. A step never grows."""
    if any(after > before for (_, before), (_, after) in pairwise(steps)):
        raise ValueError("A funnel only narrows.")
    notes = ["", *(percent(after / before) if before else "" for (_, before), (_, after) in pairwise(steps))]
    return hbars(title, [Row(label, value, note) for (label, value), note in zip(steps, notes, strict=False)])
