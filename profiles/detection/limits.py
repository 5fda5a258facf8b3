"""Limits on what a text may cost: timeouts for regular expressions, and checks before the model runs."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

LONE_SURROGATE = "The text holds one half of a surrogate pair, which is no character."
TOO_LONG = "The text has {length:,} characters; the model takes {limit:,}."
ENDLESS_WORD = "{length:,} characters without a space, {marks:,} of them marks: spaCy would take minutes."
TIMED_OUT = "The pattern “{name}” did not come to an end within {seconds:g} seconds on one comment."
TIMEOUT = 2.0  # seconds, for one pattern on one comment
LONG_RUN = re.compile(r"\S{5000,}")
MAX_WORK = 50_000_000  # spaCy strips punctuation one by one and rescans the rest: about ten seconds


class TooSlow(Exception):
    """The text would keep a worker busy for minutes."""


class UnreadableText(ValueError):
    """No model can read the text."""


class LoneSurrogate(UnreadableText):
    """Half of a surrogate pair, which cannot be encoded as UTF-8."""


class TooLong(UnreadableText):
    """Longer than the model accepts."""


def check_readable(texts: Sequence[str], limit: int) -> None:
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise LoneSurrogate(LONE_SURROGATE) from None
    length = max(map(len, texts), default=0)
    if length > limit:
        raise TooLong(TOO_LONG.format(length=length, limit=limit))
    if length >= 5000:
        _check_long_runs(texts)


def _check_long_runs(texts: Sequence[str]) -> None:
    for run in (run.group() for text in texts for run in LONG_RUN.finditer(text)):
        marks = sum(not character.isalnum() for character in run)
        if len(run) * marks > MAX_WORK:
            raise TooSlow(ENDLESS_WORD.format(length=len(run), marks=marks))


class TimedPattern:
    """A compiled pattern that raises on a timeout. Presidio itself only logs it and goes on."""

    def __init__(self, name: str, compiled: Any) -> None:
        self.name, self.compiled = name, compiled

    def finditer(self, text: str, timeout: float | None = None) -> Iterator[Any]:
        try:
            yield from self.compiled.finditer(text, timeout=TIMEOUT)
        except TimeoutError:
            raise self._too_slow() from None

    def matches(self, text: str) -> bool:
        try:
            return self.compiled.search(text, timeout=TIMEOUT) is not None
        except TimeoutError:
            raise self._too_slow() from None

    def _too_slow(self) -> TooSlow:
        return TooSlow(TIMED_OUT.format(name=self.name, seconds=TIMEOUT))
