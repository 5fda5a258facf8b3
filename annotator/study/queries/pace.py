"""How fast people work, and when they will finish. Plain numbers, no database."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

RECENT_DAYS = 7  # days with work
MIN_DAYS, MIN_PROFILES = 2, 5
MAX_AGE = timedelta(days=14)
MAX_FORECAST = 3650  # days; later dates are meaningless


@dataclass(frozen=True, slots=True)
class Day:
    """A day with work: profiles done, profiles submitted, and the active time on the submitted ones."""

    day: date
    profiles: int
    submitted: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace over the last seven days with work. Earlier days don't count, so a slow start is soon forgotten."""

    days: Sequence[Day] = ()
    today: date = date.min

    @property
    def profiles(self) -> int:
        return sum(day.profiles for day in self.days)

    @property
    def per_day(self) -> float | None:
        """Profiles per day with work."""
        return self.profiles / len(self.days) if self.days else None

    @property
    def per_hour(self) -> float | None:
        """Profiles submitted per hour of active time. None below one minute of active time."""
        seconds = sum(day.seconds for day in self.days)
        return 3600 * sum(day.submitted for day in self.days) / seconds if seconds >= 60 else None

    @property
    def is_known(self) -> bool:
        """Whether there is enough for a forecast: two days and five profiles, with work in the last 14 days."""
        has_enough = len(self.days) >= MIN_DAYS and self.profiles >= MIN_PROFILES
        return has_enough and self.days[-1].day >= self.today - MAX_AGE

    @property
    def per_calendar_day(self) -> float:
        """Profiles per calendar day, including days off, from the first of these days until today. 0 if unknown."""
        return self.profiles / ((self.today - self.days[0].day).days + 1) if self.is_known else 0.0


def recent_pace(days: Iterable[Day], today: date) -> Pace:
    worked = sorted((day for day in days if day.profiles), key=lambda day: day.day)
    return Pace(worked[-RECENT_DAYS:], today)


def finish_date(left: int, pace: float, today: date) -> date | None:
    """The day on which `left` profiles are done at this pace per calendar day. None if unknown."""
    if not left:
        return today
    days = math.ceil(left / pace) if pace else MAX_FORECAST + 1
    return today + timedelta(days=days) if days <= MAX_FORECAST else None


def batch_finish_date(own: Iterable[tuple[int, Pace]], left: int, today: date) -> date | None:
    """The day on which everybody has finished their own assignments, and all together everything that is left.

    `left` includes the shared pool. None if unknown.
    """
    people = list(own)
    own_dates = [finish_date(own_left, pace.per_calendar_day, today) for own_left, pace in people]
    pool_date = finish_date(left, sum(pace.per_calendar_day for _, pace in people), today)
    days = [pool_date, *own_dates]
    known = [day for day in days if day]
    return max(known) if len(known) == len(days) else None
