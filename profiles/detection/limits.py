"""Limits on what a text may cost: timeouts for regular expressions, and checks before the model runs."""

import re
from collections.abc import Callable
from time import monotonic
from typing import Any

LONE_SURROGATE = "The text contains half a character (a lone surrogate)."
TOO_LONG = "The text has {length:,} characters; the model accepts at most {limit:,}."
ENDLESS_WORD = "{length:,} characters without a space, {marks:,} of them punctuation: spaCy would take minutes."
TIMED_OUT = "The pattern “{name}” did not finish within {seconds:g} seconds on one comment."
TIMEOUT = 2.0  # seconds, for all patterns on one comment
LONG_RUN = re.compile(r"\S{5000,}")
MAX_WORK = 50_000_000  # spaCy strips punctuation one by one and rescans the rest: about ten seconds


class TooSlow(Exception):
    """The text would keep a worker busy for too long."""


class UnreadableText(ValueError):
    """No model can read the text."""


class LoneSurrogate(UnreadableText):
    """Half of a surrogate pair, which cannot be encoded as UTF-8."""


class TooLong(UnreadableText):
    """Longer than the model accepts."""


def check_readable(text: str, limit: int) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise LoneSurrogate(LONE_SURROGATE) from None
    if len(text) > limit:
        raise TooLong(TOO_LONG.format(length=len(text), limit=limit))
    if len(text) >= 5000:
        _check_long_runs(text)


def _check_long_runs(text: str) -> None:
    for run in LONG_RUN.findall(text):
        marks = sum(not character.isalnum() for character in run)
        if len(run) * marks > MAX_WORK:
            raise TooSlow(ENDLESS_WORD.format(length=len(run), marks=marks))


class PatternClock:
    """The time that the patterns of a recipe may take on one comment, all together."""

    def __init__(self) -> None:
        self.deadline = monotonic() + TIMEOUT

    @property
    def left(self) -> float:
        return max(self.deadline - monotonic(), 0.0)  # 0 stops at once; below 0 would mean no limit


class TimedPatterns:
    """A recogniser's regular expressions, compiled as Presidio compiles them, but with a timeout that raises.

    Presidio only logs a timeout, after a minute, and goes on without the matches. So these run before it does.
    """

    def __init__(self, recogniser: Any, compile_regex: Callable[[str, int], Any]) -> None:
        self.name: str = recogniser.name
        flags = recogniser.global_regex_flags
        self.compiled = [compile_regex(pattern.regex, flags) for pattern in recogniser.patterns]

    def matches(self, text: str, clock: PatternClock) -> bool:
        """Whether there is a match. Looks for all of them, as Presidio will. Raises TooSlow."""
        try:
            return sum(self._count(compiled, text, clock) for compiled in self.compiled) > 0
        except TimeoutError:
            raise TooSlow(TIMED_OUT.format(name=self.name, seconds=TIMEOUT)) from None

    def _count(self, compiled: Any, text: str, clock: PatternClock) -> int:
        return sum(1 for _ in compiled.finditer(text, timeout=clock.left))
