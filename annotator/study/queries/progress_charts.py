"""A batch over time: what was submitted when, and how it added up for each person."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate

from annotator.charts.bars import Bars, bars
from annotator.charts.lines import Lines, Series, lines
from annotator.study.queries.pace import Day
from annotator.study.queries.progress import Figures, Person

MOST_DAYS = 42  # beyond that a bar is a week
MOST_LINES = 4  # that can be told apart by their dashes
WEEK = 7


@dataclass(frozen=True, slots=True)
class OverTime:
    bars: Bars
    lines: Lines


def over_time(figures: Figures) -> OverTime | None:
    """From the first submission until today, by days or by weeks; None before there is one. No query."""
    days = sorted({day.day for person in figures.people for day in person.days if day.submitted})
    if not days:
        return None
    step = 1 if (figures.at.date() - days[0]).days < MOST_DAYS else WEEK
    spans = _spans(days[0], max(figures.at.date(), days[-1]), step)
    labels = [span.strftime("%-d %b") for span in spans]
    everybody = _counts([day for person in figures.people for day in person.days], spans, step)
    a_bar = "day" if step == 1 else "week"
    return OverTime(
        bars(f"Submitted per {a_bar}", list(zip(labels, everybody, strict=True)), unit="profiles", size=(520, 180)),
        lines("Submitted so far, by person", labels, _series(figures.people, spans, step), size=(520, 180)),
    )


def _spans(first: date, last: date, step: int) -> list[date]:
    """The first day of each bar. Weeks begin on a Monday."""
    begin = first if step == 1 else first - timedelta(days=first.weekday())
    return [begin + timedelta(days=n) for n in range(0, (last - begin).days + 1, step)]


def _counts(days: Iterable[Day], spans: Sequence[date], step: int) -> list[int]:
    counted: Counter[int] = Counter()
    for day in days:
        counted[(day.day - spans[0]).days // step] += day.submitted
    return [counted[n] for n in range(len(spans))]


def _series(people: Sequence[Person], spans: Sequence[date], step: int) -> list[Series]:
    """Whoever did most; all the others are one line where there are more than can be told apart."""
    ranked = sorted((person for person in people if person.submitted), key=lambda person: -person.submitted)
    alone = len(ranked) if len(ranked) <= MOST_LINES else MOST_LINES - 1
    groups = [(person.name, [person]) for person in ranked[:alone]]
    if ranked[alone:]:
        groups.append((f"{len(ranked) - alone} others", ranked[alone:]))
    return [Series(name, _so_far(group, spans, step)) for name, group in groups]


def _so_far(people: Iterable[Person], spans: Sequence[date], step: int) -> list[float]:
    return [float(n) for n in accumulate(_counts([d for person in people for d in person.days], spans, step))]
