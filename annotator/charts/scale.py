"""From values to positions: nice ticks and a linear scale."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.core.formatting import short

LARGEST = 1e300  # beyond it sums and products of floats overflow
LETTER = 6.4  # width of a character in an 11 px label, generously


@dataclass(frozen=True, slots=True)
class Tick:
    """A value worth naming on an axis, and where it stands."""

    label: str
    at: float


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis spans, and the distance of its ticks."""

    low: float
    high: float
    step: float

    def values(self) -> tuple[float, ...]:
        """The round values from low to high, ends included when they are round themselves."""
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return tuple(index * self.step for index in range(first, last + 1))


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps an axis to start…end, linearly; start may lie beyond end, as heights in a picture do."""

    axis: Axis
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.axis.low) / (self.axis.high - self.axis.low)
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self) -> tuple[Tick, ...]:
        return tuple(Tick(short(value), self(value)) for value in self.axis.values())


def checked(values: Iterable[float]) -> list[float]:
    """The values as floats; NaN and infinity have no place in a picture and are refused."""
    numbers = list(values)
    if not all(abs(value) <= LARGEST for value in numbers):
        raise ValueError("A picture needs finite numbers.")
    return [float(value) for value in numbers]


def checked_counts(values: Iterable[float]) -> list[float]:
    """The same for what is drawn as a length: it cannot be negative."""
    numbers = checked(values)
    if any(number < 0 for number in numbers):
        raise ValueError("A length cannot be negative.")
    return numbers


def nice_step(span: float, wanted: int = 4, *, whole: bool = False) -> float:
    """The smallest of 1, 2, 2.5, 5 times a power of ten that covers the span in at most `wanted` steps."""
    power = 10.0 ** math.floor(math.log10(span / wanted))
    steps = (power * factor for factor in (1, 2, 2.5, 5, 10, 20, 50))
    return next(step for step in steps if step * wanted >= span * (1 - 1e-9) and not (whole and step % 1))


def nice_axis(values: Sequence[float], *, whole: bool = False) -> Axis:
    """Holds zero and every value and ends on a tick; 0 to 1 when there is nothing to hold."""
    low, high = min([*values, 0.0]), max([*values, 0.0])
    span = high - low if high - low > 1 / LARGEST else 1.0
    step = nice_step(max(span, 1.0) if whole else span, whole=whole)
    below, above = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return Axis(below * step, (above if above > below else round(span / step)) * step, step)


def text_width(labels: Iterable[str]) -> float:
    return LETTER * max(map(len, labels), default=0)
