"""Lines on a shared axis, each with its name at the end, and an interval around it if one is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from annotator.charts.bars import are_whole, label_every
from annotator.charts.scale import Axis, Scale, Tick, checked, nice_axis, nice_step, text_width
from annotator.charts.tips import Tip, spread, tip
from annotator.core.formatting import number

TOP, BOTTOM = 10.0, 24.0
COLOURS, DASHES = 6, 4  # of `series-1` and so on, and of `line-1` and so on
NAME_HEIGHT, NAME_INDENT, MAX_NAME = 14.0, 24.0, 26  # pixels, pixels, characters


@dataclass(frozen=True, slots=True)
class Series:
    """Input for one line. None is a gap, not a zero. `hue` is an attribute; other lines get the next free colour."""

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
    tip: Tip


@dataclass(frozen=True, slots=True)
class Line:
    """`paths` are the segments between gaps, as SVG point lists; `band` is the outline of the interval."""

    name: str
    style: str
    dash: int
    points: tuple[Point, ...]
    paths: tuple[str, ...]
    band: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineName:
    """The name of a line at its end, cut if it is long; moved up or down where names would overlap."""

    text: str
    style: str
    dash: int
    y: float


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
    names: tuple[LineName, ...]
    ticks: tuple[Tick, ...]

    @property
    def has_numbers(self) -> bool:
        return bool(self.labels)

    @property
    def table(self) -> list[tuple[str, tuple[str, ...]]]:
        columns = [line.cells for line in self.lines]
        return [(label, tuple(cells[i] for cells in columns)) for i, label in enumerate(self.labels)]


def lines(
    title: str,
    labels: Sequence[str],
    series: Sequence[Series],
    *,
    between: tuple[float, float] | None = None,
    size: tuple[float, float] = (640, 220),
) -> Lines:
    """One point per label and series. The axis spans `between`, such as 1 to 5 for ratings; by default, zero and
    every interval."""
    width, height = size
    y = Scale(_axis(checked(_all_values(labels, series)), between), height - BOTTOM, TOP)
    left = text_width(tick.label for tick in y.ticks()) + 10
    right = width - max(12.0, text_width(labels) / 2, _names_width(series))
    x = _x_scale(len(labels), left + 6, right)
    drawn = tuple(_line(line, index, labels, x, y) for index, line in enumerate(series))
    every = label_every(labels, (x.end - x.start) / max(len(labels) - 1, 1))
    marks = tuple(Tick(label, x(i)) for i, label in enumerate(labels) if i % every == 0)
    return Lines(
        title, _describe(drawn), width, height, left, right, y.start, tuple(labels), marks, drawn,
        _names(drawn, y), y.ticks(),
    )  # fmt: skip


def _axis(values: Sequence[float], between: tuple[float, float] | None) -> Axis:
    """Whole numbers get an axis without fractions."""
    if between is None:
        return nice_axis(values, whole=are_whole(values))
    low, high = between
    if any(not low <= value <= high for value in values):
        raise ValueError("A value lies outside the axis.")
    return Axis(low, high, nice_step(high - low))


def _x_scale(count: int, left: float, right: float) -> Scale:
    """A single point stands in the middle."""
    return Scale(Axis(0, count - 1, 1), left, right) if count > 1 else Scale(Axis(-1, 1, 1), left, right)


def _names_width(series: Sequence[Series]) -> float:
    """Space for the names. One line needs none: the title says what it shows."""
    return NAME_INDENT + text_width(_cut(line.name) for line in series) if len(series) > 1 else 0.0


def _names(drawn: Sequence[Line], y: Scale) -> tuple[LineName, ...]:
    known = [line for line in drawn if line.points] if len(drawn) > 1 else []
    heights = spread([line.points[-1].y for line in known], NAME_HEIGHT, y.end, y.start)
    return tuple(LineName(_cut(line.name), line.style, line.dash, at) for line, at in zip(known, heights, strict=True))


def _cut(name: str) -> str:
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"


def _all_values(labels: Sequence[str], series: Sequence[Series]) -> list[float]:
    """Every number that must fit. Each series must have one value (and interval) per label."""
    for line in series:
        if {len(line.values), len(line.intervals) or len(labels)} != {len(labels)}:
            raise ValueError(f"{line.name!r} needs one value for each label.")
    values = [value for line in series for value in line.values if value is not None]
    return values + [end for line in series for interval in line.intervals for end in interval]


def _line(series: Series, index: int, labels: Sequence[str], x: Scale, y: Scale) -> Line:
    points = [
        None if value is None else _point(series.name, label, value, (x(i), y(value)), x.end)
        for i, (label, value) in enumerate(zip(labels, series.values, strict=True))
    ]
    known = tuple(point for point in points if point is not None)
    cells = tuple(point.shown if point else "–" for point in points)
    style = f"hue-{series.hue}" if series.hue else f"series-{index % COLOURS + 1}"
    return Line(series.name, style, index % DASHES + 1, known, _paths(points), _band(series, x, y), cells)


def _point(name: str, label: str, value: float, at: tuple[float, float], right: float) -> Point:
    return Point(label, number(value), *at, tip(f"{name}, {label}: {number(value)}", *at, width=right))


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
