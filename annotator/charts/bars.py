"""Vertical bars along an axis, such as comments per month."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.charts.scale import CHARACTER_WIDTH, Scale, Tick, checked_counts, nice_axis, text_width
from annotator.charts.tips import Tip, tip
from annotator.core.formatting import number

TOP, BOTTOM, RIGHT = 18.0, 22.0, 4.0  # above the highest bar there is room for its number


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, in a band of its own. Its label and number are printed only if there is space (`named`, `numbered`)."""

    label: str
    shown: str
    x: float
    y: float
    width: float
    height: float
    middle: float
    band: tuple[float, float]  # left edge and width, to point at
    named: bool
    numbered: bool
    tip: Tip


@dataclass(frozen=True, slots=True)
class Bars:
    title: str
    description: str
    unit: str
    hue: str
    width: float
    height: float
    left: float
    right: float
    base: float
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]

    @property
    def has_numbers(self) -> bool:
        return bool(self.bars)


def bars(
    title: str,
    data: Sequence[tuple[str, float]],
    *,
    unit: str = "",
    hue: str = "",
    size: tuple[float, float] = (640, 160),
) -> Bars:
    """Bars of equal width, in the given order, from zero. Without data the axis is empty."""
    width, height = size
    labels, values = [label for label, _ in data], checked_counts(value for _, value in data)
    scale = Scale(nice_axis(values, whole=are_whole(values)), height - BOTTOM, TOP)
    left = text_width(tick.label for tick in scale.ticks()) + 10
    shapes = _shapes(labels, values, scale, (left, width - RIGHT), unit)
    description = describe(labels, values, unit)
    return Bars(title, description, unit, hue, width, height, left, width - RIGHT, scale.start, shapes, scale.ticks())


def _shapes(
    labels: Sequence[str], values: Sequence[float], scale: Scale, edges: tuple[float, float], unit: str
) -> tuple[Bar, ...]:
    left, right = edges
    band = (right - left) / max(len(values), 1)
    width = max(min(band * 0.78, 48.0), min(band, 1.0))
    every, numbered = label_every(labels, band), label_every([number(value) for value in values], band) == 1
    return tuple(
        Bar(
            label=label,
            shown=number(value),
            x=round(left + band * (index + 0.5) - width / 2, 2),
            y=scale(value),
            width=round(width, 2),
            height=round(scale.start - scale(value), 2),
            middle=round(left + band * (index + 0.5), 2),
            band=(round(left + band * index, 2), round(band, 2)),
            named=index % every == 0,
            numbered=numbered,
            tip=tip(_words(label, value, unit), round(left + band * (index + 0.5), 2), scale(value), width=right),
        )
        for index, (label, value) in enumerate(zip(labels, values, strict=True))
    )


def are_whole(values: Sequence[float]) -> bool:
    """Whether the axis needs no fractions."""
    return all(value.is_integer() for value in values)


def _words(label: str, value: float, unit: str) -> str:
    return f"{label}: {number(value)} {unit}".rstrip()


def label_every(labels: Sequence[str], band: float) -> int:
    """Return n such that no two labels touch if every n-th one is printed."""
    return max(1, math.ceil((text_width(labels) + CHARACTER_WIDTH) / band))


def describe(labels: Sequence[str], values: Sequence[float], unit: str = "") -> str:
    """Summarise the chart for people who cannot see it."""
    if not values:
        return "There is nothing to show yet."
    top = max(range(len(values)), key=values.__getitem__)
    what = f" {unit}" if unit else ""
    return f"{labels[0]} to {labels[-1]}; highest at {labels[top]} with {number(values[top])}{what}."
