"""Tables of a report: built from its JSON here, printed by one template."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from annotator.charts import Heatmap, Lines, intervals
from annotator.charts.curves import Curve
from annotator.charts.intervals import Whisker
from annotator.charts.scatter import Scatter
from annotator.core.formatting import decimal, number
from evaluation.reports.figures import Figure

SCORES = ("Precision", "Recall", "F1")


@dataclass(frozen=True, slots=True)
class Cell:
    """`detail` is the small print, `title` the tooltip. A whisker is drawn instead of text, `mark` beside its dot."""

    text: str
    detail: str = ""
    title: str = ""
    whisker: Whisker | None = None
    mark: Whisker | None = None


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    is_number: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """`head` names the row; `is_main` is the one to read first."""

    head: str
    cells: tuple[Cell, ...]
    is_main: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def pairs(self) -> list[tuple[Row, list[tuple[Column, Cell]]]]:
        """Rows with the column of each cell."""
        return [(row, list(zip(self.columns[1:], row.cells, strict=True))) for row in self.rows]


class Side(StrEnum):
    LEFT = "left"
    RIGHT = "right"
    WIDE = "wide"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with tables and charts. `side` is the column that it stands in."""

    key: str
    title: str
    note: str = ""
    tables: tuple[Table, ...] = ()
    lines: Lines | None = None
    curve: Curve | None = None
    heatmap: Heatmap | None = None
    scatter: Scatter | None = None
    side: Side = Side.LEFT
    remarks: tuple[str, ...] = field(default_factory=tuple)


def table(head: str, columns: Iterable[str], rows: Iterable[tuple[str, Sequence[Cell]]], *, main: str = "") -> Table:
    """A table of numbers. `main` is the head of the row to read first."""
    return Table(
        (Column(head, is_number=False), *map(Column, columns)),
        tuple(Row(name, tuple(cells), is_main=name == main) for name, cells in rows),
    )


def score_cell(value: Any, *, with_interval: bool = False) -> Cell:
    figure = Figure.of(value)
    title = figure.reason or (f"95 % interval {figure.interval}" if figure.interval else "")
    return Cell(figure.shown, figure.interval if with_interval else "", title)


def score_cells(scores: Any, names: Iterable[str] = ("precision", "recall", "f1")) -> list[Cell]:
    return [score_cell((scores or {}).get(name)) for name in names]


def count_cell(value: Any) -> Cell:
    return Cell("–" if value is None else number(value))


def whisker_cells(title: str, values: Sequence[tuple[str, Any]]) -> list[Cell]:
    """Whiskers on one axis from 0 to 1."""
    chart = intervals(title, [Figure.of(value).estimate(name) for name, value in values], between=(0, 1))
    return [Cell(whisker.shown, whisker=whisker) for whisker in chart.whiskers]


def marked_whisker_cells(title: str, values: Sequence[tuple[str, Any, Any]]) -> list[Cell]:
    """Whiskers on one axis from 0 to 1, each with another estimate to compare it with."""
    cells = whisker_cells(title, [(name, value) for name, value, _ in values])
    marks = whisker_cells(title, [(name, other) for name, _, other in values])
    return [replace(cell, mark=mark.whisker) for cell, mark in zip(cells, marks, strict=True)]


def interval_cell(value: Any) -> Cell:
    """A score with its interval beside it."""
    return score_cell(value, with_interval=True)


def percent_cell(value: Any, *, with_interval: bool = True) -> Cell:
    figure = Figure.of(value)
    title = figure.reason or (f"95 % interval {figure.percent_interval}" if figure.percent_interval else "")
    return Cell(figure.percent, figure.percent_interval if with_interval else "", title)


def points_cell(value: Any) -> Cell:
    """A difference of two shares in percentage points, with its sign and interval."""
    figure = Figure.of(value)
    if figure.value is None:
        return Cell("–", title=figure.reason)
    interval = (
        ""
        if figure.low is None or figure.high is None
        else f"{signed_points(figure.low)} to {signed_points(figure.high)}"
    )
    return Cell(signed_points(figure.value), interval, figure.reason)


def signed_points(share: float) -> str:
    """A difference of two shares in percentage points: +1.25, −0.50, 0.00."""
    shown = decimal(100 * share)
    return f"+{shown}" if share > 0 and shown != "0.00" else shown
