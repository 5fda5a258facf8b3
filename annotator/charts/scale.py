"""Map values to positions: round ticks and a linear scale."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.core.formatting import short

MAX_VALUE = 1e300  # beyond it sums and products of floats overflow
CHARACTER_WIDTH = 6.4  # in an 11 px label, generously


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled value on an axis, and its position."""

    label: str
    at: float


@dataclass(frozen=True, slots=True)
class Axis:
    """The range of an axis, and the distance between its ticks."""

    low: float
    high: float
    step: float

    def values(self) -> tuple[float, ...]:
        """The multiples of `step` from low to high."""
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return tuple(index * self.step for index in range(first, last + 1))


@dataclass(frozen=True, slots=True)
class Scale:
    """Map an axis linearly to start…end. Start may be larger than end: SVG counts heights from the top."""

    axis: Axis
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.axis.low) / (self.axis.high - self.axis.low)
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self) -> tuple[Tick, ...]:
        return tuple(Tick(short(value), self(value)) for value in self.axis.values())


def checked(values: Iterable[float]) -> list[float]:
    """Return the values as floats; refuse NaN and infinity."""
    numbers = list(values)
    if not all(abs(value) <= MAX_VALUE for value in numbers):
        raise ValueError("A chart needs finite numbers.")
    return [float(value) for value in numbers]


def checked_counts(values: Iterable[float]) -> list[float]:
    """Return the values as floats; refuse negative ones, which cannot be drawn as lengths."""
    numbers = checked(values)
    if any(number < 0 for number in numbers):
        raise ValueError("A length cannot be negative.")
    return numbers


def nice_step(span: float, max_steps: int = 4, *, whole: bool = False) -> float:
    """The smallest of 1, 2, 2.5, 5 times a power of ten that covers the span in at most `max_steps` steps.

    `whole` allows only whole steps.
    """
    power = 10.0 ** math.floor(math.log10(span / max_steps))
    steps = (power * factor for factor in (1, 2, 2.5, 5, 10, 20, 50))
    return next(step for step in steps if step * max_steps >= span * (1 - 1e-9) and not (whole and step % 1))


def nice_axis(values: Sequence[float], *, whole: bool = False) -> Axis:
    """An axis that spans zero and every value and ends on ticks; 0 to 1 without values."""
    low, high = min([*values, 0.0]), max([*values, 0.0])
    span = high - low if high - low > 1 / MAX_VALUE else 1.0
    step = nice_step(max(span, 1.0) if whole else span, whole=whole)
    below, above = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return Axis(below * step, (above if above > below else round(span / step)) * step, step)


def text_width(labels: Iterable[str]) -> float:
    return CHARACTER_WIDTH * max(map(len, labels), default=0)
