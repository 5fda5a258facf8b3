"""Charts of a batch over time: submissions by day or week, and totals by person."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate

from annotator.charts.bars import Bars, bars
from annotator.charts.lines import Lines, Series, lines
from annotator.study.queries.pace import Day
from annotator.study.queries.progress import BatchFigures, PersonFigures

MAX_DAILY_BARS = 42  # beyond that, each bar is a week
MAX_LINES = 6  # as many as there are colours
WEEK = 7


@dataclass(frozen=True, slots=True)
class ProgressCharts:
    bars: Bars
    lines: Lines


def progress_charts(figures: BatchFigures) -> ProgressCharts | None:
    """Charts from the first submission until today. None if there are no submissions. No query."""
    days = sorted({day.day for person in figures.people for day in person.days if day.submitted})
    if not days:
        return None
    step = 1 if (figures.at.date() - days[0]).days < MAX_DAILY_BARS else WEEK
    starts = _bar_starts(days[0], max(figures.at.date(), days[-1]), step)
    labels = [start.strftime("%-d %b") for start in starts]
    everybody = _counts([day for person in figures.people for day in person.days], starts, step)
    period = "day" if step == 1 else "week"
    return ProgressCharts(
        bars(f"Submitted per {period}", list(zip(labels, everybody, strict=True)), unit="profiles", size=(560, 200)),
        lines("Submitted so far, by person", labels, _series(figures.people, starts, step), size=(560, 200)),
    )


def _bar_starts(first: date, last: date, step: int) -> list[date]:
    """The first day of each bar. Weeks start on a Monday."""
    begin = first if step == 1 else first - timedelta(days=first.weekday())
    return [begin + timedelta(days=n) for n in range(0, (last - begin).days + 1, step)]


def _counts(days: Iterable[Day], starts: Sequence[date], step: int) -> list[int]:
    counts: Counter[int] = Counter()
    for day in days:
        counts[(day.day - starts[0]).days // step] += day.submitted
    return [counts[n] for n in range(len(starts))]


def _series(people: Sequence[PersonFigures], starts: Sequence[date], step: int) -> list[Series]:
    """One line per person, those who submitted most first. If there are too many, the rest share a line."""
    ranked = sorted((person for person in people if person.submitted), key=lambda person: -person.submitted)
    own_lines = len(ranked) if len(ranked) <= MAX_LINES else MAX_LINES - 1
    groups = [(person.name, [person]) for person in ranked[:own_lines]]
    if ranked[own_lines:]:
        groups.append((f"{len(ranked) - own_lines} others", ranked[own_lines:]))
    return [Series(name, _running_totals(group, starts, step)) for name, group in groups]


def _running_totals(people: Iterable[PersonFigures], starts: Sequence[date], step: int) -> list[float]:
    return [float(n) for n in accumulate(_counts([d for person in people for d in person.days], starts, step))]
