"""Times of comments, what existed by then, and the ids that follow from the times."""

import random
import re
import tomllib
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path

CORPUS_START = datetime(2012, 1, 1, tzinfo=UTC)
CORPUS_END = datetime(2016, 1, 1, tzinfo=UTC)
FIRST_ID, LAST_ID = int("c3eh4ko", 36), int("cyj9w2d", 36)
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
NOT_BEFORE_FILE = Path(__file__).parent / "not_before.toml"


class Clock:
    """The habits of one persona: starts no session for eight hours a day, and writes up to four comments in one."""

    def __init__(self, active: tuple[date, date], rng: random.Random) -> None:
        self.active, self.rng = active, rng
        self.wakes_at = rng.randrange(24)
        self.session: list[datetime] = []

    def random_time(self) -> datetime:
        if not self.session:
            self._start_session()
        return self.session.pop()

    def time_on(self, day: date) -> datetime:
        """A time on that UTC day at which the persona is awake."""
        second = (self.wakes_at * 3600 + self.rng.randrange(16 * 3600)) % 86400
        return datetime.combine(day, time(0), tzinfo=UTC) + timedelta(seconds=second)

    def _start_session(self) -> None:
        first, last = self.active
        at = self.time_on(first + timedelta(days=self.rng.randrange((last - first).days + 1)))
        for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3, 4))):
            self.session.append(min(at, CORPUS_END - timedelta(seconds=1)))
            at += timedelta(seconds=self.rng.randrange(40, 1500))


@cache
def _first_days() -> dict[str, date]:
    return tomllib.loads(NOT_BEFORE_FILE.read_text(encoding="utf-8"))


@cache
def _names_pattern() -> re.Pattern[str]:
    longest_first = sorted(_first_days(), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b")


def is_anachronistic(text: str, on: date) -> bool:
    """Whether a text mentions something that did not exist yet on that day."""
    return any(_first_days()[name] > on for name in _names_pattern().findall(text))


def assign_ids(times: list[datetime]) -> list[str]:
    """Return an id for each time, increasing with time. The times must be sorted."""
    numbers, last = [], 0
    for at in times:
        passed = (at - CORPUS_START) / (CORPUS_END - CORPUS_START)
        last = max(last + 1, FIRST_ID + int(passed * (LAST_ID - FIRST_ID)))
        numbers.append(last)
    return [_base36(number) for number in numbers]


def _base36(number: int) -> str:
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
    return text
