"""When comments were written, what could be known then, and the identifiers that follow from it."""

import random
import re
import tomllib
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path

OPENED = datetime(2012, 1, 1, tzinfo=UTC)
CLOSED = datetime(2016, 1, 1, tzinfo=UTC)
FIRST_ID, LAST_ID = int("c3eh4ko", 36), int("cyj9w2d", 36)
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
NEWS = Path(__file__).parent / "not_before.toml"


class Clock:
    """The habits of one persona: eight hours of the day without a comment, several in one sitting."""

    def __init__(self, active: tuple[date, date], rng: random.Random) -> None:
        self.active, self.rng = active, rng
        self.wakes_at = rng.randrange(24)
        self.sitting: list[datetime] = []

    def some_time(self) -> datetime:
        if not self.sitting:
            self._sit_down()
        return self.sitting.pop()

    def on(self, day: date) -> datetime:
        """A waking moment of that UTC day."""
        second = (self.wakes_at * 3600 + self.rng.randrange(16 * 3600)) % 86400
        return datetime.combine(day, time(0), tzinfo=UTC) + timedelta(seconds=second)

    def _sit_down(self) -> None:
        first, last = self.active
        at = self.on(first + timedelta(days=self.rng.randrange((last - first).days + 1)))
        for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3, 4))):
            self.sitting.append(min(at, CLOSED - timedelta(seconds=1)))
            at += timedelta(seconds=self.rng.randrange(40, 1500))


@cache
def _first_days() -> dict[str, date]:
    return tomllib.loads(NEWS.read_text(encoding="utf-8"))


@cache
def _news() -> re.Pattern[str]:
    longest_first = sorted(_first_days(), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b")


def too_early(text: str, on: date) -> bool:
    """Whether a text speaks of something that was not there yet on that day."""
    return any(_first_days()[thing] > on for thing in _news().findall(text))


def number_ids(times: list[datetime]) -> list[str]:
    """One id per time, growing as the times do; times must be sorted."""
    numbers, last = [], 0
    for at in times:
        passed = (at - OPENED) / (CLOSED - OPENED)
        last = max(last + 1, FIRST_ID + int(passed * (LAST_ID - FIRST_ID)))
        numbers.append(last)
    return [_base36(number) for number in numbers]


def _base36(number: int) -> str:
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
    return text
