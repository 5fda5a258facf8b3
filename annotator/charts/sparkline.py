"""Small bars without an axis, to show beside a name."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.charts.bars import describe
from annotator.charts.scale import checked_counts


@dataclass(frozen=True, slots=True)
class Sparkline:
    """All bars form one SVG path, so that a hundred months are one element of the page."""

    title: str
    description: str
    width: int
    height: int
    path: str


def sparkline(
    title: str, data: Sequence[tuple[str, float]], *, unit: str = "", size: tuple[int, int] = (240, 32)
) -> Sparkline:
    labels, values = [label for label, _ in data], checked_counts(value for _, value in data)
    (width, height), top = size, max(values, default=0) or 1
    band = width / max(len(values), 1)
    path = "".join(_bar(index * band, band, value / top * (height - 2), height) for index, value in enumerate(values))
    return Sparkline(title, describe(labels, values, unit), width, height, path)


def _bar(x: float, band: float, length: float, base: int) -> str:
    """Empty for zero; otherwise at least two pixels high, so that a single comment is visible."""
    if not length:
        return ""
    bar_height, bar_width = max(length, 2.0), max(min(band * 0.8, 14.0), 0.8)
    return f"M{x + (band - bar_width) / 2:.1f} {base}v-{bar_height:.1f}h{bar_width:.1f}v{bar_height:.1f}z"
