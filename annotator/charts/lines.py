"""Lines on a shared axis, each with an interval around it if one is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from annotator.charts.bars import label_every
from annotator.charts.scale import Axis, Scale, Tick, checked, nice_axis, text_width
from annotator.core.formatting import number

TOP, BOTTOM = 10.0, 24.0


@dataclass(frozen=True, slots=True)
class Series:
    """Input for one line. None is a gap, not a zero."""

    name: str
    values: Sequence[float | None]
    hue: str = ""
    intervals: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True)
class Point:
    label: str
    shown: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """`paths` are the segments between gaps, as SVG point lists; `band` is the outline of the interval."""

    name: str
    hue: str
    dash: int
    points: tuple[Point, ...]
    paths: tuple[str, ...]
    band: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    title: str
    description: str
    width: float
    height: float
    left: float
    right: float
    base: float
    labels: tuple[str, ...]
    marks: tuple[Tick, ...]
    lines: tuple[Line, ...]
    ticks: tuple[Tick, ...]

    @property
    def has_numbers(self) -> bool:
        return bool(self.labels)

    @property
    def table(self) -> list[tuple[str, tuple[str, ...]]]:
        columns = [line.cells for line in self.lines]
        return [(label, tuple(cells[i] for cells in columns)) for i, label in enumerate(self.labels)]


def lines(
    title: str, labels: Sequence[str], series: Sequence[Series], *, size: tuple[float, float] = (640, 220)
) -> Lines:
    """One point per label and series; the axis spans zero and every interval."""
    width, height = size
    y = Scale(nice_axis(checked(_all_values(labels, series))), height - BOTTOM, TOP)
    left = text_width(tick.label for tick in y.ticks()) + 10
    right = width - max(12.0, text_width(labels) / 2)
    x = Scale(Axis(0, max(len(labels) - 1, 1), 1), left + 6, right)
    drawn = tuple(_line(line, index, labels, x, y) for index, line in enumerate(series))
    every = label_every(labels, (x.end - x.start) / max(len(labels) - 1, 1))
    marks = tuple(Tick(label, x(i)) for i, label in enumerate(labels) if i % every == 0)
    return Lines(title, _describe(drawn), width, height, left, right, y(0), tuple(labels), marks, drawn, y.ticks())


def _all_values(labels: Sequence[str], series: Sequence[Series]) -> list[float]:
    """Every number that must fit. Each series must have one value (and interval) per label."""
    for line in series:
        if {len(line.values), len(line.intervals) or len(labels)} != {len(labels)}:
            raise ValueError(f"{line.name!r} needs one value for each label.")
    values = [value for line in series for value in line.values if value is not None]
    return values + [end for line in series for interval in line.intervals for end in interval]


def _line(series: Series, index: int, labels: Sequence[str], x: Scale, y: Scale) -> Line:
    points = [
        None if value is None else Point(label, number(value), x(i), y(value))
        for i, (label, value) in enumerate(zip(labels, series.values, strict=True))
    ]
    known = tuple(point for point in points if point is not None)
    cells = tuple(point.shown if point else "–" for point in points)
    return Line(series.name, series.hue, index % 4 + 1, known, _paths(points), _band(series, x, y), cells)


def _paths(points: Sequence[Point | None]) -> tuple[str, ...]:
    segments = (list(group) for known, group in groupby(points, key=bool) if known)
    return tuple(" ".join(f"{point.x},{point.y}" for point in segment if point) for segment in segments)


def _band(series: Series, x: Scale, y: Scale) -> str:
    upper = [f"{x(i)},{y(high)}" for i, (_, high) in enumerate(series.intervals)]
    lower = [f"{x(i)},{y(low)}" for i, (low, _) in enumerate(series.intervals)]
    return " ".join(upper + lower[::-1])


def _describe(drawn: Sequence[Line]) -> str:
    known = [line for line in drawn if line.points]
    if not known:
        return "There is nothing to show yet."
    return " ".join(
        f"{line.name}: {line.points[0].shown} at {line.points[0].label}, "
        f"{line.points[-1].shown} at {line.points[-1].label}."
        for line in known
    )
