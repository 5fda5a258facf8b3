"""Estimates with their intervals, as dots and lines on a shared axis."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.charts.scale import Axis, Scale, Tick, checked, nice_axis, nice_step
from annotator.core.formatting import decimal, number


@dataclass(frozen=True, slots=True)
class Estimate:
    """Input for one row. The value is None if there was nothing to measure."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    hue: str = ""


@dataclass(frozen=True, slots=True)
class Whisker:
    """Positions in percent of the axis; `known` is false if there is no estimate to draw."""

    label: str
    shown: str
    interval: str
    hue: str
    known: bool
    at: float = 0.0
    start: float = 0.0
    end: float = 0.0


@dataclass(frozen=True, slots=True)
class Intervals:
    title: str
    whiskers: tuple[Whisker, ...]
    ticks: tuple[Tick, ...]


def intervals(title: str, estimates: Sequence[Estimate], *, between: tuple[float, float] | None = None) -> Intervals:
    """The axis spans `between`, such as 0 to 1 for a score; by default, zero and all intervals."""
    numbers = checked(v for e in estimates for v in (e.value, e.low, e.high) if v is not None)
    axis = Axis(*between, nice_step(between[1] - between[0])) if between else nice_axis(numbers)
    if any(not axis.low <= value <= axis.high for value in numbers):
        raise ValueError("An estimate lies outside the axis.")
    scale = Scale(axis, 2, 98)  # a margin of two percent, so that a dot on the edge stays whole
    return Intervals(title, tuple(_whisker(estimate, scale) for estimate in estimates), scale.ticks())


def _whisker(estimate: Estimate, scale: Scale) -> Whisker:
    if estimate.value is None:
        return Whisker(estimate.label, "–", "", estimate.hue, known=False)
    low = estimate.value if estimate.low is None else estimate.low
    high = estimate.value if estimate.high is None else estimate.high
    if not low <= estimate.value <= high:
        raise ValueError(f"The estimate for {estimate.label!r} lies outside its interval.")
    interval = f"{_format(low, scale)} to {_format(high, scale)}" if low != high else ""
    positions = (scale(estimate.value), scale(low), scale(high))
    return Whisker(estimate.label, _format(estimate.value, scale), interval, estimate.hue, True, *positions)


def _format(value: float, scale: Scale) -> str:
    """Use two decimals on a short axis, so that scores line up, and as many as needed on a long one."""
    return decimal(value) if scale.axis.high - scale.axis.low <= 2 else number(value)
