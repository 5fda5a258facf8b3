"""A small progress bar with its numbers, for a line of text or a table cell."""

from dataclasses import dataclass

from annotator.charts.scale import checked_counts
from annotator.core.formatting import number, percent


@dataclass(frozen=True, slots=True)
class Meter:
    """Lengths in percent: `done` from the left, then `under_way`, then the empty track."""

    done: float
    under_way: float
    text: str
    percent: str


def meter(done: float, total: float, *, under_way: float = 0) -> Meter:
    """A total of zero gives an empty meter, not an error."""
    checked_counts((done, total, under_way))
    if done + under_way > total:
        raise ValueError("More is done than there is.")
    text = f"{number(done)} of {number(total)}"
    if not total:
        return Meter(0.0, 0.0, text, percent(0))
    return Meter(_share(done, total), _share(under_way, total), text, percent(done / total))


def _share(part: float, total: float) -> float:
    return round(100 * (part / total), 2)
