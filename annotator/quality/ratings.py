"""Compare the ratings of a judgement with those of the known answer."""

from dataclasses import dataclass
from enum import Enum


class Closeness(Enum):
    """How a rating relates to the known one. The value is what pages say."""

    SAME = "same"
    CLOSE = "close"  # one apart: people differ by that much
    OFF = "off"


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """A judgement or a known answer as shown to people, with its ratings."""

    value: str = ""
    hardness: int = 0
    certainty: int = 0
    required_subreddit: bool = False


@dataclass(frozen=True, slots=True)
class RatingCheck:
    """One rating on both sides, for example “Hardness: you 2, known 4”."""

    name: str
    own: str
    known: str
    closeness: Closeness

    @property
    def is_off(self) -> bool:
        return self.closeness is Closeness.OFF


def check_ratings(own: ShownAnswer, known: ShownAnswer) -> tuple[RatingCheck, ...]:
    """Compare the ratings of two answers. Nothing to compare unless both sides have a value and rated it."""
    if not own.value or not known.value:
        return ()
    checks = []
    for name, mine, theirs in (
        ("Hardness", own.hardness, known.hardness),
        ("Certainty", own.certainty, known.certainty),
    ):
        if mine and theirs:
            checks.append(RatingCheck(name, str(mine), str(theirs), closeness(mine, theirs)))
    required = Closeness.SAME if own.required_subreddit == known.required_subreddit else Closeness.OFF
    checks.append(
        RatingCheck("Required subreddit", _yes_no(own.required_subreddit), _yes_no(known.required_subreddit), required)
    )
    return tuple(checks)


def closeness(own: int, known: int) -> Closeness:
    """Ratings one apart are close."""
    if own == known:
        return Closeness.SAME
    return Closeness.CLOSE if abs(own - known) == 1 else Closeness.OFF


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"
