"""A checked line of a file with labels, before it becomes rows. Plain data, no database."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from annotator.exchange.formats.records import CitedSpan
from profiles.attributes import Attribute
from profiles.pseudonyms import ADJECTIVES, ANIMALS, LETTERS

PSEUDONYM = re.compile(rf"([a-z]+)-([a-z]+)-[{LETTERS}]{{5}}")
KEY = re.compile(r"[\w .-]{1,40}")  # others are not quoted
CODE = re.compile(r"A-[2-9A-HJ-NP-Z]{6}")


class LineRefused(Exception):
    """The whole line is refused. The message says why without quoting it."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A line, or one answer of it, that was not imported."""

    line: int
    reason: str
    attribute: str = ""  # empty for a whole line, and for an attribute that we do not have
    key: str = ""  # the name of such an attribute

    @property
    def is_answer(self) -> bool:
        return bool(self.attribute or self.key)

    @property
    def summary(self) -> str:
        """The reason, after the attribute's name unless it starts with that name."""
        label = Attribute(self.attribute).label if self.attribute else ""
        return self.reason if self.reason.startswith(label) else f"{label}: {self.reason}"

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"line": self.line, "reason": self.reason}
        named = {"attribute": self.attribute, "key": self.key}
        return fields | {name: value for name, value in named.items() if value}


@dataclass(frozen=True, slots=True)
class IncomingComment:
    id: str  # base 36; empty if it has no text and is not loaded
    copy: int
    subreddit: str
    written_at: datetime
    text: str

    @property
    def stored_id(self) -> str:
        return f"{self.id}.{self.copy}" if self.copy else self.id


@dataclass(frozen=True, slots=True)
class IncomingAnswer:
    value: str = ""
    hardness: int = 0
    certainty: int = 0
    required_subreddit: bool = False
    note: str = ""
    geoname_id: int | None = None
    active_seconds: int = 0
    evidence: tuple[CitedSpan, ...] = ()
    written: str = ""  # the value as the file has it


@dataclass(frozen=True, slots=True)
class IncomingReview:
    """`answers` has no entry for an answer that was set aside; it must not count as empty."""

    reviewer: str
    answers: dict[Attribute, IncomingAnswer]
    batch: str = ""
    guideline: int | None = None
    submitted_at: datetime | None = None
    active_seconds: int = 0


@dataclass(frozen=True, slots=True)
class IncomingGold:
    answer: IncomingAnswer
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
    pseudonym: str = ""  # if the name is one of ours
    reviews: list[IncomingReview] = field(default_factory=list)
    gold: dict[Attribute, IncomingGold] = field(default_factory=dict)
    source: dict[str, Any] | None = None
    has_own_ids: bool = False  # the file has Reddit's ids; otherwise evidence cites comments by number, from 1 on
    set_aside: list[SetAside] = field(default_factory=list)

    @property
    def has_texts(self) -> bool:
        return any(comment.text for comment in self.comments)

    def leave_out(self, reason: str, attribute: str = "") -> None:
        self.set_aside.append(SetAside(self.line, reason, attribute))

    def leave_out_unknown(self, key: str, reason: str) -> None:
        """Set aside an attribute that we do not have. `{}` in the reason becomes its name."""
        name = key if KEY.fullmatch(key) else "…"
        self.set_aside.append(SetAside(self.line, reason.format(name), key=name))


def is_pseudonym(name: str) -> bool:
    """True for a name in the form of our pseudonyms."""
    match = PSEUDONYM.fullmatch(name)
    return bool(match) and match[1] in ADJECTIVES and match[2] in ANIMALS  # type: ignore[index]


def is_code(name: str) -> bool:
    """True for a name in the form of our annotator codes."""
    return bool(CODE.fullmatch(name))
