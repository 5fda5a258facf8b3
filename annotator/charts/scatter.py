"""Labelled points of two shares, each with an interval both ways, such as privacy against utility."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotator.charts.intervals import Estimate
from annotator.charts.lines import COLOURS
from annotator.charts.scale import Axis, Scale, Tick, checked, nice_step, text_width
from annotator.charts.tips import Tip, tip
from annotator.core.formatting import THIN

MARGIN_LEFT, MARGIN_BOTTOM, TOP, RIGHT = 50.0, 40.0, 14.0, 14.0
SMALLEST_SPAN = 0.1  # of an axis: small differences must not look large
GAP, LINE, RADIUS = 10.0, 15.0, 5.0  # from a dot to its label, between labels, of a dot
MAX_LABEL = 40  # characters
MIN_STEPS = 2  # of an axis
NONE = "–"

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a dot beside it. `is_far` if it had to move away, so that a line leads to it."""

    text: str
    x: float
    y: float
    anchor: str
    is_far: bool = False


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """Positions of the dot, of the ends of both intervals, and of its label."""

    style: str
    x: float
    y: float
    across: tuple[float, float]
    along: tuple[float, float]
    label: Label
    tip: Tip


@dataclass(frozen=True, slots=True)
class Scatter:
    """`rows` are the same numbers: name, first share, second share."""

    title: str
    description: str
    axes: tuple[str, str]
    width: float
    height: float
    left: float
    right: float
    top: float
    base: float
    points: tuple[ScatterPoint, ...]
    marks: tuple[Tick, ...]
    ticks: tuple[Tick, ...]
    rows: tuple[tuple[str, str, str], ...]

    @property
    def has_numbers(self) -> bool:
        return bool(self.rows)


def scatter(
    title: str,
    points: Sequence[tuple[Estimate, Estimate]],
    *,
    axes: tuple[str, str],
    size: tuple[float, float] = (860, 400),
) -> Scatter:
    """Each point is its two shares, from 0 to 1; the first one's label names it. Points without a value are listed
    in the table only. The axes span what is drawn, not always 0 to 1."""
    known = [(a, b) for a, b in points if a.value is not None and b.value is not None]
    width, height = size
    x = Scale(_axis([a for a, _ in known]), MARGIN_LEFT, width - RIGHT)
    y = Scale(_axis([b for _, b in known]), height - MARGIN_BOTTOM, TOP)
    rows = tuple((a.label, _shown(a), _shown(b)) for a, b in points)
    return Scatter(
        title, _describe(known, axes), axes, width, height, x.start, x.end, y.end, y.start,
        _drawn(known, axes, x, y), _percent_ticks(x), _percent_ticks(y), rows,
    )  # fmt: skip


def _axis(estimates: Sequence[Estimate]) -> Axis:
    """Round ends around every interval, within 0 to 1."""
    values = checked(end for estimate in estimates for end in _ends(estimate))
    if any(not 0 <= value <= 1 for value in values):
        raise ValueError("A share lies between 0 and 1.")
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    step = nice_step(max(high - low, SMALLEST_SPAN))
    below, above = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    while above - below < MIN_STEPS:  # all points lie at one value
        below, above = (below - 1, above) if below > 0 else (below, above + 1)
    return Axis(below * step, above * step, step)


def _ends(estimate: Estimate) -> Iterator[float]:
    yield from (value for value in (estimate.value, estimate.low, estimate.high) if value is not None)


def _drawn(
    known: Sequence[tuple[Estimate, Estimate]], axes: tuple[str, str], x: Scale, y: Scale
) -> tuple[ScatterPoint, ...]:
    dots = [(x(a.value or 0), y(b.value or 0)) for a, b in known]
    labels = place_labels([_cut(a.label) for a, _ in known], dots, (x.start, y.end, x.end, y.start))
    return tuple(
        ScatterPoint(
            f"series-{index % COLOURS + 1}", *dot, _span(a, x), _span(b, y), label,
            tip(f"{a.label}: {axes[0]} {_percent(a.value)}, {axes[1]} {_percent(b.value)}", *dot, width=x.end),
        )
        for index, ((a, b), dot, label) in enumerate(zip(known, dots, labels, strict=True))
    )  # fmt: skip


def _span(estimate: Estimate, scale: Scale) -> tuple[float, float]:
    ends = list(_ends(estimate))
    return scale(min(ends)), scale(max(ends))


# ── Labels ──────────────────────────────────────────────────────────────────


def place_labels(texts: Sequence[str], dots: Sequence[tuple[float, float]], bounds: Box) -> list[Label]:
    """Beside each dot, or as near as it fits without covering a dot, another label or the edge."""
    taken = [_dot_box(dot) for dot in dots]
    labels = []
    for text, dot in zip(texts, dots, strict=True):
        options = list(_options(text, dot, bounds))
        label = next((option for option in options if not _hits(_label_box(option), taken)), options[0])
        taken.append(_label_box(label))
        labels.append(label)
    return labels


def _options(text: str, dot: tuple[float, float], bounds: Box) -> Iterator[Label]:
    """To the right and to the left, then line by line further up and down. All lie within the bounds."""
    left, top, right, bottom = bounds
    width, lines = text_width([text]), int((bottom - top) / LINE)
    for line in sorted(range(-lines, lines + 1), key=abs):
        for anchor, x in (("start", dot[0] + GAP), ("end", dot[0] - GAP)):
            y, ends = dot[1] + line * LINE, (x, x + width) if anchor == "start" else (x - width, x)
            if left <= ends[0] and ends[1] <= right and (top <= y <= bottom or not line):
                yield Label(text, round(x, 2), round(y, 2), anchor, abs(line) > 1)
    yield Label(text, round(min(max(dot[0], left + width / 2), right - width / 2), 2), dot[1] - LINE, "middle")


def _label_box(label: Label) -> Box:
    width = text_width([label.text])
    start = {"start": label.x, "end": label.x - width, "middle": label.x - width / 2}[label.anchor]
    return start, label.y - LINE / 2 + 1, start + width, label.y + LINE / 2 - 1


def _dot_box(dot: tuple[float, float]) -> Box:
    return dot[0] - RADIUS, dot[1] - RADIUS, dot[0] + RADIUS, dot[1] + RADIUS


def _hits(box: Box, others: Sequence[Box]) -> bool:
    return any(box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in others)


# ── Words ───────────────────────────────────────────────────────────────────


def _cut(name: str) -> str:
    return name if len(name) <= MAX_LABEL else f"{name[: MAX_LABEL - 1]}…"


def _percent(share: float | None) -> str:
    return NONE if share is None else f"{100 * share:.1f}{THIN}%"


def _shown(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None or estimate.low == estimate.high:
        return _percent(estimate.value)
    return f"{_percent(estimate.value)} ({_percent(estimate.low)} to {_percent(estimate.high)})"


def _percent_ticks(scale: Scale) -> tuple[Tick, ...]:
    values = scale.axis.values()
    digits = 0 if all(abs(100 * value - round(100 * value)) < 1e-6 for value in values) else 1
    return tuple(Tick(f"{100 * value:.{digits}f}{THIN}%", scale(value)) for value in values)


def _describe(known: Sequence[tuple[Estimate, Estimate]], axes: tuple[str, str]) -> str:
    if not known:
        return "There is nothing to show yet."
    return " ".join(f"{a.label}: {axes[0]} {_percent(a.value)}, {axes[1]} {_percent(b.value)}." for a, b in known)
