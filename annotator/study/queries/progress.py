"""How far a batch is: what each person did, how quick they are, and when all of it will be done."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from annotator.charts.meter import Meter, meter
from annotator.core.formatting import format_duration
from annotator.models import Batch, SkipReason
from annotator.study.queries.pace import Day, Pace, all_through_on, pace_of, through_on
from annotator.study.queries.progress_sql import AT_IT, DAYS, FLAGS, PEOPLE


class DayRow(NamedTuple):
    """One person's slots that were done on one day, in one way; without a day those that are not done."""

    annotator: int | None
    day: date | None
    skip_reason: str
    slots: int
    submitted: int
    claimed: int
    seconds: int


class Beside(NamedTuple):
    """What is known of people beside their slots, and how they may be called."""

    flags: Mapping[int, int]
    at_it: Mapping[int, datetime]
    today: date
    by_name: bool


@dataclass(frozen=True, slots=True)
class Reason:
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Person:
    """One person's part in a batch. `name` is a code for those who may not know names."""

    pk: int
    name: str
    is_active: bool
    submitted: int
    held: int
    open: int
    reasons: Sequence[Reason]
    flags: int
    median: float | None
    seconds: int
    days: Sequence[Day]
    pace: Pace
    last_at: datetime | None

    @property
    def skipped(self) -> int:
        return sum(reason.count for reason in self.reasons)

    @property
    def left(self) -> int:
        return self.held + self.open

    @property
    def meter(self) -> Meter:
        done = self.submitted + self.skipped
        return meter(done, done + self.left, under_way=self.held)

    @property
    def median_shown(self) -> str:
        return "" if self.median is None else f"{int(self.median) // 60}:{int(self.median) % 60:02}"

    @property
    def total_shown(self) -> str:
        return format_duration(timedelta(seconds=self.seconds)) if self.seconds else ""

    @property
    def a_day(self) -> float | None:
        return None if self.pace.a_day is None else round(self.pace.a_day, 1)

    @property
    def an_hour(self) -> float | None:
        return None if self.pace.an_hour is None else round(self.pace.an_hour, 1)

    @property
    def through_on(self) -> date | None:
        return through_on(self.left, self.pace.a_calendar_day, self.pace.today)


@dataclass(frozen=True, slots=True)
class Figures:
    """A whole batch; `pool` is what is left for anybody."""

    batch: Batch
    people: Sequence[Person]
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
    def flags(self) -> int:
        return sum(person.flags for person in self.people)

    @property
    def meter(self) -> Meter:
        done = self.submitted + self.skipped
        return meter(done, done + self.left, under_way=self.held)

    @property
    def active(self) -> str:
        return format_duration(timedelta(seconds=sum(person.seconds for person in self.people)))

    @property
    def through_on(self) -> date | None:
        return all_through_on([(person.left, person.pace) for person in self.people], self.left, self.at.date())

    @property
    def due(self) -> tuple[str, str]:
        """In words, and the badge that goes with them."""
        due = self.batch.due_at.astimezone(UTC).date() if self.batch.due_at else None
        return due_in_words(due, self.through_on, self.left, self.at.date())


def figures_of(batch: Batch, *, by_name: bool) -> Figures:
    """Everybody who has or had a slot, by name. 4 queries."""
    at, values = timezone.now(), {"batch": batch.pk}
    with connection.cursor() as cursor:
        rows = [DayRow(*row) for row in _fetched(cursor, DAYS, values)]
        people = _fetched(cursor, PEOPLE, values)
        flags: dict[int, int] = dict(_fetched(cursor, FLAGS, values))
        at_it: dict[int, datetime] = dict(_fetched(cursor, AT_IT, values))
    of_person: dict[int | None, list[DayRow]] = defaultdict(list)
    for row in rows:
        of_person[row.annotator].append(row)
    pool = sum(row.slots for row in of_person.pop(None, []))
    beside = Beside(flags, at_it, at.date(), by_name)
    shown = [_person(one, of_person[one[0]], beside) for one in people]
    return Figures(batch, shown if by_name else sorted(shown, key=lambda person: person.name), pool, at)


def due_in_words(due: date | None, through: date | None, left: int, today: date) -> tuple[str, str]:
    if due is None:
        return "no due date", ""
    if not left:
        return "nothing left", "good"
    if due < today:
        return "past due", "bad"
    if through is None:
        return "cannot be told yet", ""
    if through <= due:
        return "will be met at this pace", "good"
    days = (through - due).days
    return f"will be missed by {days} day{'s' if days > 1 else ''}", "warn"


def _fetched(cursor: Any, statement: str, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
    cursor.execute(statement, values)
    return list(cursor.fetchall())


def _person(one: tuple[Any, ...], rows: Sequence[DayRow], beside: Beside) -> Person:
    pk, display_name, code, is_active, median, last_at = one
    days, undone = _days(rows), [row for row in rows if row.day is None]
    held = sum(row.claimed for row in undone)
    seen = [at for at in (last_at, beside.at_it.get(pk)) if at]
    return Person(
        pk=pk, name=display_name if beside.by_name else code, is_active=is_active,
        submitted=sum(row.submitted for row in rows), held=held, open=sum(row.slots for row in undone) - held,
        reasons=_reasons(rows), flags=beside.flags.get(pk, 0), median=median, seconds=sum(row.seconds for row in rows),
        days=days, pace=pace_of(days, beside.today), last_at=max(seen, default=None),
    )  # fmt: skip


def _days(rows: Iterable[DayRow]) -> list[Day]:
    """By day, oldest first. What an admin took back is nothing that somebody did."""
    found: dict[date, list[DayRow]] = defaultdict(list)
    for row in rows:
        if row.day is not None and row.skip_reason != SkipReason.WITHDRAWN:
            found[row.day].append(row)
    return [
        Day(
            day,
            sum(r.slots for r in found[day]),
            sum(r.submitted for r in found[day]),
            sum(r.seconds for r in found[day]),
        )
        for day in sorted(found)
    ]


def _reasons(rows: Iterable[DayRow]) -> list[Reason]:
    """The commonest first."""
    counted: Counter[str] = Counter()
    for row in rows:
        counted[row.skip_reason] += row.slots
    del counted[""]
    return [Reason(SkipReason(reason).label, count) for reason, count in counted.most_common()]
