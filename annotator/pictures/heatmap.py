"""A table whose cells are shaded by their number: labels by hardness and certainty, or a confusion matrix."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.pictures.scale import checked_counts, number

LEVELS = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """`level` 0 is nothing, 1 to 5 are fifths of the largest number."""

    shown: str
    level: int


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
) -> Heatmap:
    """One row of values per row name, one value per column; `axes` says what rows and columns are."""
    if len(values) != len(rows) or any(len(row) != len(columns) for row in values):
        raise ValueError("A heat map needs one number for each row and column.")
    flat = checked_counts(value for row in values for value in row)
    largest = max([*flat, 0.0])
    shaded = tuple(
        (name, tuple(Cell(number(value), level(value, largest)) for value in row))
        for name, row in zip(rows, values, strict=True)
    )
    return Heatmap(title, *axes, tuple(columns), shaded, number(sum(flat)))


def level(value: float, largest: float) -> int:
    """Zero stays apart from little: even one label in a thousand gets a shade."""
    if value == 0:
        return 0
    return min(LEVELS, 1 + int(LEVELS * (value / largest)))
