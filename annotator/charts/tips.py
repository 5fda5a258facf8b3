"""Values that a chart shows on hover and on focus, beside the shape they belong to."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.charts.scale import text_width

ABOVE, BELOW, MIN_TOP = 9.0, 18.0, 20.0


@dataclass(frozen=True, slots=True)
class Tip:
    """A value in words at a point; `text_y` and `anchor` keep the words inside the chart."""

    text: str
    x: float
    y: float
    text_y: float
    anchor: str


def tip(text: str, x: float, y: float, *, width: float) -> Tip:
    half = text_width([text]) / 2
    anchor = "start" if x < half else "end" if x + half > width else "middle"
    return Tip(text, x, y, round(y - ABOVE if y > MIN_TOP else y + BELOW, 2), anchor)


def spread(positions: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move positions apart until neighbours keep the gap, in the same order and, if there is room, within bounds."""
    order = sorted(range(len(positions)), key=positions.__getitem__)
    placed, least = list(positions), low
    for index in order:
        placed[index] = max(placed[index], least)
        least = placed[index] + gap
    most = high
    for index in reversed(order):
        placed[index] = min(placed[index], most)
        most = placed[index] - gap
    return [round(position, 2) for position in placed]
