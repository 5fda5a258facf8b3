"""An evaluator's own figures: profiles, active time and pace."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Aggregate, FloatField

from annotator.core.formatting import format_duration
from annotator.models import Annotator, Assignment, Batch

RECENT_PROFILES = 50  # the pace is their median

# A sitting counts for the day on which it ended. Days are in UTC, like all dates on pages.
DAYS = """
    SELECT (day AT TIME ZONE 'UTC')::date,
        (SELECT count(*) FROM annotator_assignment
         WHERE annotator_id = %(person)s AND submitted_at >= day AND submitted_at < day + interval '1 day'),
        (SELECT coalesce(sum(sitting.active_seconds), 0) FROM annotator_sitting sitting
         JOIN annotator_assignment assignment ON assignment.id = sitting.assignment_id
         WHERE assignment.annotator_id = %(person)s AND sitting.last_at >= day
            AND sitting.last_at < day + interval '1 day')
    FROM generate_series(%(monday)s::timestamptz, %(today)s::timestamptz, interval '1 day') AS day
    ORDER BY day DESC
"""
PACE = """
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY active_seconds), count(*) FROM (
        SELECT active_seconds FROM annotator_assignment assignment
        JOIN annotator_batch batch ON batch.id = assignment.batch_id
        WHERE assignment.annotator_id = %(person)s AND submitted_at IS NOT NULL AND active_seconds > 0
            AND NOT batch.is_practice
        ORDER BY submitted_at DESC LIMIT %(recent)s
    ) recent
"""


@dataclass(frozen=True, slots=True)
class OwnDay:
    day: date
    profiles: int
    seconds: int

    @property
    def active(self) -> str:
        return format_duration(timedelta(seconds=self.seconds))


@dataclass(frozen=True, slots=True)
class OwnStatistics:
    """The days of this week so far, today first, and the median active time of the latest profiles."""

    days: Sequence[OwnDay]
    pace_seconds: float | None
    pace_profiles: int

    @property
    def today(self) -> OwnDay:
        return self.days[0]

    @property
    def week(self) -> OwnDay:
        return OwnDay(self.days[-1].day, sum(day.profiles for day in self.days), sum(day.seconds for day in self.days))

    @property
    def pace(self) -> str:
        return "" if self.pace_seconds is None else format_duration(timedelta(seconds=self.pace_seconds))


def own_statistics(annotator: Annotator, *, now: datetime) -> OwnStatistics:
    """2 queries."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    values: dict[str, Any] = {"person": annotator.pk, "today": today, "monday": today - timedelta(days=today.weekday())}
    with connection.cursor() as cursor:
        cursor.execute(DAYS, values)
        days = [OwnDay(*row) for row in cursor.fetchall()]
        cursor.execute(PACE, values | {"recent": RECENT_PROFILES})
        pace, profiles = cursor.fetchone()
    return OwnStatistics(days, pace, profiles)


def profile_duration(batch: Batch | None) -> str:
    """The median active time of a submitted profile in a batch, or in all of them. Empty without data. 1 query."""
    timed = Assignment.objects.submitted().filter(batch__is_practice=False, active_seconds__gt=0)
    seconds = (timed.filter(batch=batch) if batch else timed).aggregate(median=Median("active_seconds"))["median"]
    return "" if seconds is None else format_duration(timedelta(seconds=seconds))


class Median(Aggregate):
    function = "percentile_cont"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()
