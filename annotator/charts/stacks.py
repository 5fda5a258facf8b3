"""Rows whose bars are cut into parts of a whole, with further figures beside them."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.charts.scale import checked_counts
from annotator.core.formatting import number

MAX_PARTS = 3  # as many shades as can be told apart


@dataclass(frozen=True, slots=True)
class Figure:
    """Text beside a bar. `note` is smaller print below it, `reason` explains a missing number."""

    shown: str
    note: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StackRow:
    """Describe one bar: an amount for each part, and a figure for each further column."""

    label: str
    amounts: Sequence[float]
    figures: Sequence[Figure] = ()
    href: str = ""


@dataclass(frozen=True, slots=True)
class StackPart:
    """`start` and `width` in percent of the bar. `shade` is 1 for the first part."""

    shade: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Stack:
    label: str
    total: str
    amounts: tuple[str, ...]
    parts: tuple[StackPart, ...]
    description: str
    figures: tuple[Figure, ...]
    href: str


@dataclass(frozen=True, slots=True)
class Stacks:
    title: str
    row_name: str
    total_name: str
    legend: tuple[tuple[int, str], ...]  # shade and name
    columns: tuple[str, ...]
    stacks: tuple[Stack, ...]

    @property
    def parts_name(self) -> str:
        return " · ".join(name for _, name in self.legend)


def stacks(
    title: str,
    parts: Sequence[str],
    rows: Sequence[StackRow],
    *,
    axes: tuple[str, str] = ("", "Total"),
    columns: Sequence[str] = (),
) -> Stacks:
    """Bars of equal length in the given order. `axes` names the rows and their totals; a total of zero has no bar."""
    if not 0 < len(parts) <= MAX_PARTS:
        raise ValueError(f"Stacks have 1 to {MAX_PARTS} parts.")
    legend = tuple(enumerate(parts, start=1))
    drawn = tuple(_stack(row, parts, len(columns)) for row in rows)
    return Stacks(title, *axes, legend, tuple(columns), drawn)


def _stack(row: StackRow, parts: Sequence[str], columns: int) -> Stack:
    amounts = checked_counts(row.amounts)
    if len(amounts) != len(parts) or len(row.figures) != columns:
        raise ValueError("A stack needs an amount for each part, and a figure for each column.")
    shown = tuple(map(number, amounts))
    named = ", ".join(f"{amount} {part}" for amount, part in zip(shown, parts, strict=True))
    return Stack(row.label, number(sum(amounts)), shown, _parts(amounts), named, tuple(row.figures), row.href)


def _parts(amounts: Sequence[float]) -> tuple[StackPart, ...]:
    """Edges are rounded, not widths, so that parts neither overlap nor leave gaps."""
    total = sum(amounts)
    if not total:
        return ()
    edges = [round(100 * sum(amounts[:at]) / total, 2) for at in range(len(amounts) + 1)]
    parts = (StackPart(at + 1, edges[at], round(edges[at + 1] - edges[at], 2)) for at in range(len(amounts)))
    return tuple(part for part in parts if part.width)
