"""What a text may cost: regular expressions run against the clock, and a text that cannot be read is refused."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

SECONDS = 2.0  # for one pattern on one comment
LONG_RUN = re.compile(r"\S{5000,}")
WORK = 50_000_000  # spaCy takes marks off a word one by one and looks at the rest each time: about ten seconds


class TooSlow(Exception):
    """A text would keep a worker for minutes."""


class NotReadable(ValueError):
    """The text is none that a model could read."""


class HalfACharacter(NotReadable):
    """One half of a surrogate pair: no character, and not to be written as UTF-8."""


class TooLong(NotReadable):
    """Longer than the model takes."""


def refuse_unreadable(texts: Sequence[str], longest: int) -> None:
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise HalfACharacter("The text holds one half of a surrogate pair, which is no character.") from None
    length = max(map(len, texts), default=0)
    if length > longest:
        raise TooLong(f"The text has {length:,} characters; the model takes {longest:,}.")
    if length >= 5000:
        _refuse_endless_words(texts)


def _refuse_endless_words(texts: Sequence[str]) -> None:
    for run in (run.group() for text in texts for run in LONG_RUN.finditer(text)):
        marks = sum(not character.isalnum() for character in run)
        if len(run) * marks > WORK:
            raise TooSlow(
                f"{len(run):,} characters without a space, {marks:,} of them marks: spaCy would take minutes."
            )


class Timed:
    """Stands in for a compiled pattern. Presidio logs one that runs out of time and goes on; this one raises."""

    def __init__(self, name: str, compiled: Any) -> None:
        self.name, self.compiled = name, compiled

    def finditer(self, text: str, timeout: float | None = None) -> Iterator[Any]:
        try:
            yield from self.compiled.finditer(text, timeout=SECONDS)
        except TimeoutError:
            raise self._too_slow() from None

    def matches(self, text: str) -> bool:
        try:
            return self.compiled.search(text, timeout=SECONDS) is not None
        except TimeoutError:
            raise self._too_slow() from None

    def _too_slow(self) -> TooSlow:
        return TooSlow(f"The pattern “{self.name}” did not come to an end within {SECONDS:g} seconds on one comment.")
