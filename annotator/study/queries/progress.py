"""The progress of a batch: what each person did, how fast they work, and when it will be finished."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, Max
from django.utils import timezone

from annotator.charts.meter import Meter, meter
from annotator.core.formatting import format_clock, format_duration
from annotator.models import Batch, Flag, Sitting, SkipReason
from annotator.study.queries.pace import Day, Pace, batch_finish_date, finish_date, recent_pace
from annotator.study.queries.progress_sql import DAYS, PEOPLE

PEOPLE_COLUMNS = {
    "name": "lower_name", "done": "-done", "held": "-held", "open": "-open", "skipped": "-skipped", "flags": "-flags",
    "median": "-median", "active": "-seconds", "day": "-per_day", "hour": "-per_hour", "last": "-last_at",
}  # fmt: skip


class DayRow(NamedTuple):
    """One person's assignments finished on one day, by skip reason. Unfinished ones have no day."""

    annotator: int | None
    day: date | None
    skip_reason: str
    slots: int
    submitted: int
    claimed: int
    seconds: int


class Extras(NamedTuple):
    """Data about people besides their assignments, and whether to show their names."""

    flags: Mapping[int, int]
    last_sittings: Mapping[int, datetime]
    today: date
    by_name: bool


@dataclass(frozen=True, slots=True)
class SkipCount:
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class PersonFigures:
    """One person's figures in a batch. `name` is a code for viewers who may not see names.

    `taken_back` counts what they held when the batch was closed: it is neither done nor left. What was handed over
    counts for whoever has it now.
    """

    pk: int
    name: str
    is_active: bool
    submitted: int
    held: int
    open: int
    reasons: Sequence[SkipCount]
    taken_back: int
    flags: int
    median: float | None
    seconds: int
    days: Sequence[Day]
    pace: Pace
    last_at: datetime | None

    @property
    def lower_name(self) -> str:
        return self.name.lower()

    @property
    def skipped(self) -> int:
        return sum(reason.count for reason in self.reasons)

    @property
    def done(self) -> int:
        return self.submitted + self.skipped

    @property
    def left(self) -> int:
        return self.held + self.open

    @property
    def meter(self) -> Meter:
        done = self.submitted + self.skipped
        return meter(done, done + self.left + self.taken_back, under_way=self.held)

    @property
    def median_text(self) -> str:
        return "" if self.median is None else format_clock(self.median)

    @property
    def active_text(self) -> str:
        return format_duration(timedelta(seconds=self.seconds)) if self.seconds else ""

    @property
    def per_day(self) -> float | None:
        return None if self.pace.per_day is None else round(self.pace.per_day, 1)

    @property
    def per_hour(self) -> float | None:
        return None if self.pace.per_hour is None else round(self.pace.per_hour, 1)

    @property
    def expected_finish(self) -> date | None:
        return finish_date(self.left, self.pace.per_calendar_day, self.pace.today)


@dataclass(frozen=True, slots=True)
class BatchFigures:
    """The figures of a whole batch. `pool` counts the assignments that anybody may take."""

    batch: Batch
    people: Sequence[PersonFigures]
    pool: int
    at: datetime

    @property
    def submitted(self) -> int:
        return sum(person.submitted for person in self.people)

    @property
    def skipped(self) -> int:
        return sum(person.skipped for person in self.people)

    @property
    def held(self) -> int:
        return sum(person.held for person in self.people)

    @property
    def left(self) -> int:
        return self.pool + sum(person.left for person in self.people)

    @property
    def taken_back(self) -> int:
        return sum(person.taken_back for person in self.people)

    @property
    def flags(self) -> int:
        return sum(person.flags for person in self.people)

    @property
    def meter(self) -> Meter:
        done = self.submitted + self.skipped
        return meter(done, done + self.left + self.taken_back, under_way=self.held)

    @property
    def active_text(self) -> str:
        return format_duration(timedelta(seconds=sum(person.seconds for person in self.people)))

    @property
    def expected_finish(self) -> date | None:
        return batch_finish_date([(person.left, person.pace) for person in self.people], self.left, self.at.date())

    @property
    def due(self) -> tuple[str, str]:
        """The status in words, and its badge."""
        due = self.batch.due_at.astimezone(UTC).date() if self.batch.due_at else None
        return due_status(due, self.expected_finish, self.left, self.at.date())


def batch_figures(batch: Batch, *, by_name: bool) -> BatchFigures:
    """The figures of everybody with an assignment in the batch, sorted by name. 4 queries."""
    at, values = timezone.now(), {"batch": batch.pk}
    with connection.cursor() as cursor:
        rows = [DayRow(*row) for row in _fetch(cursor, DAYS, values)]
        people = _fetch(cursor, PEOPLE, values)
    rows_by_person: dict[int | None, list[DayRow]] = defaultdict(list)
    for row in rows:
        rows_by_person[row.annotator].append(row)
    pool = sum(row.slots for row in rows_by_person.pop(None, []))
    extras = Extras(_flag_counts(batch), _last_sittings(batch), at.date(), by_name)
    figures = [_person_figures(person, rows_by_person[person[0]], extras) for person in people]
    return BatchFigures(batch, figures if by_name else sorted(figures, key=lambda person: person.name), pool, at)


def due_status(due: date | None, expected_finish: date | None, left: int, today: date) -> tuple[str, str]:
    if due is None:
        return "no due date", ""
    if not left:
        return "nothing left", "good"
    if due < today:
        return "past due", "bad"
    if expected_finish is None:
        return "not enough data yet", ""
    if expected_finish <= due:
        return "on schedule", "good"
    days = (expected_finish - due).days
    return f"will be missed by {days} day{'s' if days > 1 else ''}", "warn"


def _flag_counts(batch: Batch) -> dict[int, int]:
    """How often each annotator flagged something. 1 query."""
    flags = Flag.objects.filter(assignment__batch=batch).order_by()
    return dict(flags.values_list("assignment__annotator").annotate(Count("pk")))


def _last_sittings(batch: Batch) -> dict[int, datetime]:
    """When each annotator last worked on what they hold. 1 query."""
    sittings = Sitting.objects.filter(assignment__in=batch.assignments.held()).order_by()
    return dict(sittings.values_list("assignment__annotator").annotate(Max("last_at")))


def _fetch(cursor: Any, statement: str, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
    cursor.execute(statement, values)
    return list(cursor.fetchall())


def _person_figures(person: tuple[Any, ...], rows: Sequence[DayRow], extras: Extras) -> PersonFigures:
    pk, display_name, code, is_active, median, last_at = person
    days, undone = _days(rows), [row for row in rows if row.day is None]
    held = sum(row.claimed for row in undone)
    active_at = [at for at in (last_at, extras.last_sittings.get(pk)) if at]
    return PersonFigures(
        pk=pk,
        name=display_name if extras.by_name else code,
        is_active=is_active,
        submitted=sum(row.submitted for row in rows),
        held=held,
        open=sum(row.slots for row in undone) - held,
        reasons=_skip_counts(rows),
        taken_back=sum(row.slots for row in rows if row.skip_reason == SkipReason.WITHDRAWN),
        flags=extras.flags.get(pk, 0),
        median=median,
        seconds=sum(row.seconds for row in rows),
        days=days,
        pace=recent_pace(days, extras.today),
        last_at=max(active_at, default=None),
    )


def _days(rows: Iterable[DayRow]) -> list[Day]:
    """Days with work, oldest first. Assignments that an admin withdrew don't count."""
    rows_by_day: dict[date, list[DayRow]] = defaultdict(list)
    for row in rows:
        if row.day is not None and row.skip_reason != SkipReason.WITHDRAWN:
            rows_by_day[row.day].append(row)
    return [
        Day(
            day,
            sum(r.slots for r in rows_by_day[day]),
            sum(r.submitted for r in rows_by_day[day]),
            sum(r.seconds for r in rows_by_day[day]),
        )
        for day in sorted(rows_by_day)
    ]


def _skip_counts(rows: Iterable[DayRow]) -> list[SkipCount]:
    """Skips by reason, most common first. What an admin withdrew is no skip."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.skip_reason] += row.slots
    del counts[""], counts[SkipReason.WITHDRAWN]
    return [SkipCount(SkipReason(reason).label, count) for reason, count in counts.most_common()]
