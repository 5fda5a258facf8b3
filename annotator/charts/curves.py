"""A curve through points of two shares, such as precision over recall, with one point marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.charts.scale import Axis, Scale, Tick, checked
from annotator.core.formatting import decimal

MARGIN_LEFT, MARGIN_BOTTOM, TOP, RIGHT = 42.0, 38.0, 10.0, 12.0
UNIT = Axis(0, 1, 0.2)


@dataclass(frozen=True, slots=True)
class Mark:
    """The point that a run works at."""

    label: str
    x: float
    y: float


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
    mark: Mark | None
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    rows: tuple[tuple[str, str], ...]


def curve(
    title: str,
    points: Sequence[tuple[float, float]],
    *,
    axes: tuple[str, str],
    mark: tuple[str, float, float] | None = None,
    size: tuple[float, float] = (420, 260),
) -> Curve:
    """Points as (x, y), both from 0 to 1, in the order in which the line connects them."""
    if any(not 0 <= value <= 1 for value in checked(value for point in points for value in point)):
        raise ValueError("A share lies between 0 and 1.")
    width, height = size
    x, y = Scale(UNIT, MARGIN_LEFT, width - RIGHT), Scale(UNIT, height - MARGIN_BOTTOM, TOP)
    return Curve(
        title, _describe(points, axes, mark), axes, width, height, x.start, x.end, y.end, y.start,
        " ".join(f"{x(a)},{y(b)}" for a, b in points), Mark(mark[0], x(mark[1]), y(mark[2])) if mark else None,
        x.ticks(), y.ticks(), tuple((decimal(a), decimal(b)) for a, b in points),
    )  # fmt: skip


def _describe(
    points: Sequence[tuple[float, float]], axes: tuple[str, str], mark: tuple[str, float, float] | None
) -> str:
    if not points:
        return "There is nothing to show yet."
    (a, b), (c, d) = points[0], points[-1]
    along = f"{axes[1]} {decimal(b)} at {axes[0]} {decimal(a)}, {decimal(d)} at {decimal(c)}."
    return f"{along} {mark[0]}: {decimal(mark[2])} at {decimal(mark[1])}." if mark else along
