"""How quick somebody is, and when they will be through. Plain numbers, no database."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

RECENT = 7  # days with something done
ENOUGH_DAYS, ENOUGH_PROFILES = 2, 5
LONG_AGO = timedelta(days=14)
CANNOT_BE_TOLD = "cannot be told yet"
FARTHEST = 3650  # days; beyond that a date says nothing


@dataclass(frozen=True, slots=True)
class Day:
    """A day on which somebody did something: how many profiles, and the active time on what was submitted."""

    day: date
    profiles: int
    submitted: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Pace:
    """The last seven days with something done, and nothing else: who begins slowly is not held to it."""

    days: Sequence[Day] = ()
    today: date = date.min

    @property
    def profiles(self) -> int:
        return sum(day.profiles for day in self.days)

    @property
    def a_day(self) -> float | None:
        """Profiles on a day with work."""
        return self.profiles / len(self.days) if self.days else None

    @property
    def an_hour(self) -> float | None:
        """Profiles submitted in an hour of active time; None before there is a minute of it."""
        seconds = sum(day.seconds for day in self.days)
        return 3600 * sum(day.submitted for day in self.days) / seconds if seconds >= 60 else None

    @property
    def is_known(self) -> bool:
        """Enough to look ahead from: two days, five profiles, and not all of it long ago."""
        is_enough = len(self.days) >= ENOUGH_DAYS and self.profiles >= ENOUGH_PROFILES
        return is_enough and self.days[-1].day >= self.today - LONG_AGO

    @property
    def a_calendar_day(self) -> float:
        """With days off: from the first of the days until today. 0 where it cannot be told."""
        return self.profiles / ((self.today - self.days[0].day).days + 1) if self.is_known else 0.0


def pace_of(days: Iterable[Day], today: date) -> Pace:
    done = sorted((day for day in days if day.profiles), key=lambda day: day.day)
    return Pace(done[-RECENT:], today)


def through_on(left: int, pace: float, today: date) -> date | None:
    """The day on which the last of them is done at so many a calendar day; None where it cannot be told."""
    if not left:
        return today
    days = math.ceil(left / pace) if pace else FARTHEST + 1
    return today + timedelta(days=days) if days <= FARTHEST else None


def all_through_on(own: Iterable[tuple[int, Pace]], left: int, today: date) -> date | None:
    """When a batch is done: everybody with their own slots, and together with what is left for anybody."""
    people = list(own)
    alone = [through_on(mine, pace.a_calendar_day, today) for mine, pace in people]
    together = through_on(left, sum(pace.a_calendar_day for _, pace in people), today)
    days = [together, *alone]
    known = [day for day in days if day]
    return max(known) if len(known) == len(days) else None
