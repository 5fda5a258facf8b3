"""A curve through points of two shares, such as precision over recall, with one point marked."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.charts.scale import Axis, Scale, Tick, checked
from annotator.charts.tips import Tip, tip
from annotator.core.formatting import decimal

MARGIN_LEFT, MARGIN_BOTTOM, TOP, RIGHT = 42.0, 38.0, 10.0, 12.0
UNIT = Axis(0, 1, 0.2)
RADIUS, SMALLEST, LARGEST = 5.0, 3.0, 9.0
MAX_TIPS = 60  # beyond that a finger cannot choose one


@dataclass(frozen=True, slots=True)
class Dot:
    """A point that stands out, such as the one that a run works at."""

    label: str
    x: float
    y: float
    tip: Tip
    radius: float = RADIUS


@dataclass(frozen=True, slots=True)
class Curve:
    title: str
    description: str
    axes: tuple[str, str]
    width: float
    height: float
    left: float
    right: float
    top: float
    base: float
    points: str
    dots: tuple[Dot, ...]
    marks: tuple[Tick, ...]
    ticks: tuple[Tick, ...]
    tips: tuple[Tip, ...]
    rows: tuple[tuple[str, str], ...]
    has_diagonal: bool

    @property
    def has_numbers(self) -> bool:
        return bool(self.rows)


def curve(
    title: str,
    points: Sequence[tuple[float, float]],
    *,
    axes: tuple[str, str],
    mark: tuple[str, float, float] | None = None,
    notes: Sequence[tuple[str, float]] = (),
    has_diagonal: bool = False,
    size: tuple[float, float] = (420, 260),
) -> Curve:
    """Points as (x, y), both from 0 to 1, in the order in which the line connects them.

    `mark` is a point of its own. `notes` are the label of each point and how much it weighs, from 0 to 1. The diagonal
    is where both shares are equal.
    """
    if any(not 0 <= value <= 1 for value in checked(value for point in points for value in point)):
        raise ValueError("A share lies between 0 and 1.")
    width, height = size
    x, y = Scale(UNIT, MARGIN_LEFT, width - RIGHT), Scale(UNIT, height - MARGIN_BOTTOM, TOP)
    dots = [_dot(mark[0], mark[1:], RADIUS, axes, (x, y))] if mark else []
    dots += [
        _dot(label, point, _radius(weight), axes, (x, y)) for (label, weight), point in zip(notes, points, strict=False)
    ]
    tips = () if notes else _tips(points, axes, (x, y))
    return Curve(
        title, _describe(points, axes, mark), axes, width, height, x.start, x.end, y.end, y.start,
        " ".join(f"{x(a)},{y(b)}" for a, b in points), tuple(dots),
        x.ticks(), y.ticks(), tips, tuple((decimal(a), decimal(b)) for a, b in points), has_diagonal,
    )  # fmt: skip


def _dot(
    label: str, point: tuple[float, float], radius: float, axes: tuple[str, str], scales: tuple[Scale, Scale]
) -> Dot:
    at = scales[0](point[0]), scales[1](point[1])
    return Dot(label, *at, tip(f"{label}: {_words(*point, axes)}", *at, width=scales[0].end), radius)


def _tips(points: Sequence[tuple[float, float]], axes: tuple[str, str], scales: tuple[Scale, Scale]) -> tuple[Tip, ...]:
    """At most so many points along the curve, evenly chosen. The table has all of them."""
    x, y = scales
    every = math.ceil(len(points) / MAX_TIPS) or 1
    return tuple(tip(_words(a, b, axes), x(a), y(b), width=x.end) for a, b in points[::every])


def _words(a: float, b: float, axes: tuple[str, str]) -> str:
    return f"{axes[0]} {decimal(a)}, {axes[1]} {decimal(b)}"


def _radius(weight: float) -> float:
    """The area says how much a point weighs; the lightest can still be seen."""
    return round(SMALLEST + (LARGEST - SMALLEST) * math.sqrt(weight), 1)


def _describe(
    points: Sequence[tuple[float, float]], axes: tuple[str, str], mark: tuple[str, float, float] | None
) -> str:
    if not points:
        return "There is nothing to show yet."
    (a, b), (c, d) = points[0], points[-1]
    along = f"{axes[1]} {decimal(b)} at {axes[0]} {decimal(a)}, {decimal(d)} at {decimal(c)}."
    return f"{along} {mark[0]}: {decimal(mark[2])} at {decimal(mark[1])}." if mark else along
