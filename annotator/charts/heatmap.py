"""A table whose cells are shaded by their numbers, such as a confusion matrix."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.charts.scale import checked_counts
from annotator.core.formatting import number

LEVELS = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """`level` is 0 for zero, 1 to 5 for fifths of the largest number; `href` is the target of a link."""

    shown: str
    level: int
    href: str = ""


@dataclass(frozen=True, slots=True)
class Heatmap:
    title: str
    row_name: str
    column_name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    total: str


def heatmap(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float]],
    *,
    axes: tuple[str, str] = ("", ""),
    links: Sequence[Sequence[str]] = (),
) -> Heatmap:
    """One row of values per row name, one value per column; `axes` names the rows and the columns.

    `links` has a URL for each cell; cells with zero get no link.
    """
    if len(values) != len(rows) or any(len(row) != len(columns) for row in values):
        raise ValueError("A heat map needs one number for each row and column.")
    numbers = checked_counts(value for row in values for value in row)
    largest = max([*numbers, 0.0])
    urls = links or [[""] * len(columns)] * len(rows)
    shaded = tuple(
        (name, tuple(_cell(value, largest, href) for value, href in zip(row, hrefs, strict=True)))
        for name, row, hrefs in zip(rows, values, urls, strict=True)
    )
    return Heatmap(title, *axes, tuple(columns), shaded, number(sum(numbers)))


def _cell(value: float, largest: float, href: str) -> Cell:
    return Cell(number(value), level(value, largest), href if value else "")


def level(value: float, largest: float) -> int:
    """The shade of a cell. Only zero is unshaded: even one label in a thousand shows."""
    if value == 0:
        return 0
    return min(LEVELS, 1 + int(LEVELS * (value / largest)))
