"""Bars without an axis, small enough to stand beside a name: when something happened, at a glance."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.charts.bars import describe
from annotator.charts.scale import checked_counts


@dataclass(frozen=True, slots=True)
class Spark:
    """One path for all bars: a hundred months are one element of the page."""

    title: str
    description: str
    width: int
    height: int
    path: str
    first: str
    last: str


def spark(title: str, data: Sequence[tuple[str, float]], *, unit: str = "", size: tuple[int, int] = (240, 32)) -> Spark:
    labels, values = [label for label, _ in data], checked_counts(value for _, value in data)
    (width, height), top = size, max(values, default=0) or 1
    band = width / max(len(values), 1)
    path = "".join(_bar(index * band, band, value / top * (height - 2), height) for index, value in enumerate(values))
    first, last = (labels[0], labels[-1]) if labels else ("", "")
    return Spark(title, describe(labels, values, unit), width, height, path, first, last)


def _bar(x: float, band: float, length: float, base: int) -> str:
    """Nothing for zero; at least two pixels for anything else, so that one comment can be seen."""
    if not length:
        return ""
    tall, wide = max(length, 2.0), max(min(band * 0.8, 14.0), 0.8)
    return f"M{x + (band - wide) / 2:.1f} {base}v-{tall:.1f}h{wide:.1f}v{tall:.1f}z"
