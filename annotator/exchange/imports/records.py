"""A line of a file with labels, read and checked, on its way to rows. Plain data, no database."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from annotator.exchange.formats.records import CitedSpan
from profiles.attributes import Attribute
from profiles.pseudonyms import ADJECTIVES, ANIMALS, LETTERS

PSEUDONYM = re.compile(rf"([a-z]+)-([a-z]+)-[{LETTERS}]{{5}}")
CODE = re.compile(r"A-[2-9A-HJ-NP-Z]{6}")


class LineRefused(Exception):
    """Nothing of the line can be taken. Says why, without repeating any of it."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A line, or one answer of it, that was left out."""

    line: int
    reason: str
    attribute: str = ""

    @property
    def told(self) -> str:
        """With the attribute's name, unless the reason begins with it."""
        label = Attribute(self.attribute).label if self.attribute else ""
        return self.reason if self.reason.startswith(label) else f"{label}: {self.reason}"

    def to_json(self) -> dict[str, Any]:
        about: dict[str, Any] = {"line": self.line, "reason": self.reason}
        return about | {"attribute": self.attribute} if self.attribute else about


@dataclass(frozen=True, slots=True)
class IncomingComment:
    id: str  # base 36; empty where it has no text and is not loaded
    copy: int
    subreddit: str
    written_at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class IncomingSaid:
    value: str = ""
    hardness: int = 0
    certainty: int = 0
    required_subreddit: bool = False
    note: str = ""
    geoname_id: int | None = None
    active_seconds: int = 0
    evidence: tuple[CitedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class IncomingReview:
    """`answers` has no entry for an answer that was set aside: its reviewer did say something."""

    reviewer: str
    answers: dict[Attribute, IncomingSaid]
    batch: str = ""
    guideline: int | None = None
    submitted_at: datetime | None = None
    active_seconds: int = 0


@dataclass(frozen=True, slots=True)
class IncomingGold:
    said: IncomingSaid
    reached: str
    rule: str
    reason: str
    decided_by: str
    decided_at: datetime
    guideline: int | None


@dataclass(slots=True)
class IncomingProfile:
    line: int
    account: str
    comments: list[IncomingComment]
    pseudonym: str = ""  # where the name is one of ours
    reviews: list[IncomingReview] = field(default_factory=list)
    gold: dict[Attribute, IncomingGold] = field(default_factory=dict)
    source: dict[str, Any] | None = None
    set_aside: list[SetAside] = field(default_factory=list)

    @property
    def has_texts(self) -> bool:
        return any(comment.text for comment in self.comments)

    def leave_out(self, reason: str, attribute: str = "") -> None:
        self.set_aside.append(SetAside(self.line, reason, attribute))


def is_pseudonym(name: str) -> bool:
    """Whether it is a name as Telltale makes them."""
    found = PSEUDONYM.fullmatch(name)
    return bool(found) and found[1] in ADJECTIVES and found[2] in ANIMALS  # type: ignore[index]


def is_code(name: str) -> bool:
    """Whether it may stand for a person in our own exports."""
    return bool(CODE.fullmatch(name))
