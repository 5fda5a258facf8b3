"""A profile with its labels, between database rows and lines of a file. Plain data, no queries."""

import json
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from profiles.spans import EntitySpan, Span

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class Status(StrEnum):
    """What is known of an attribute. Only `negative` means that somebody looked and could not tell."""

    INFERRED = "inferred"
    NEGATIVE = "negative"
    DISPUTED = "disputed"
    WAITING = "waiting"  # judged, but not by everybody who is to judge it
    UNJUDGED = "unjudged"
    LEFT_OUT = "left_out"  # by the filters of the export


MISSING = (Status.DISPUTED, Status.WAITING, Status.UNJUDGED, Status.LEFT_OUT)


class ExportedComment(NamedTuple):
    """A named tuple, because creating one is three times as fast as a frozen dataclass, and there are so many."""

    pk: int
    id: str  # Reddit's if names are exported, otherwise a number within the profile
    subreddit: str
    written_at: datetime
    text: str  # empty unless texts are exported
    reddit_id: int  # never written to a file without names
    copy_number: int

    @property
    def stored_id(self) -> str:
        return format_reddit_id(self.reddit_id, self.copy_number)


@dataclass(frozen=True, slots=True)
class CitedSpan(Span):
    """Evidence as a file cites it: a span of a comment, by the comment's id."""

    comment: str  # empty if the file has none
    text: str  # empty if the file has none


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Value and ratings of one attribute; an empty value means that nothing could be inferred."""

    value: str
    hardness: int
    certainty: int
    required_subreddit: bool
    evidence: list[CitedSpan]

    @property
    def status(self) -> Status:
        return Status.INFERRED if self.value else Status.NEGATIVE


@dataclass(frozen=True, slots=True)
class Answer(Conclusion):
    note: str
    geoname_id: int | None
    active_seconds: int


@dataclass(frozen=True, slots=True)
class Gold(Conclusion):
    reached: str
    rule: str
    reason: str
    decided_by: str  # a code; empty if a rule decided
    decided_at: datetime
    guideline: int | None
    is_ours: bool = True  # the guideline; otherwise it is a version of another study
    prompted_by: str = ""  # the model that claimed it before people confirmed it


@dataclass(frozen=True, slots=True)
class Review:
    """The submission of one annotator, identified by a code."""

    annotator: str
    batch: str
    guideline: int | None
    submitted_at: datetime
    active_seconds: int
    answers: dict[str, Answer]
    is_ours: bool = True  # the guideline; otherwise it is a version of another study


@dataclass(slots=True)
class LabelledProfile:
    pseudonym: str
    corpus: str
    account: str = ""  # only if names are exported
    comments: list[ExportedComment] = field(default_factory=list)
    gold: dict[str, Gold] = field(default_factory=dict)
    missing: dict[str, Status] = field(default_factory=dict)  # why an attribute has no gold; not in it: unjudged
    reviews: list[Review] = field(default_factory=list)
    source: dict[str, Any] | None = None
    detections: dict[int, list[EntitySpan]] = field(default_factory=dict)  # by the comment's row

    @property
    def name(self) -> str:
        return self.account or self.pseudonym

    def why_missing(self, attribute: str) -> Status:
        return self.missing.get(attribute, Status.UNJUDGED)

    @property
    def has_labels(self) -> bool:
        return bool(self.gold or self.reviews or self.source)


def format_reddit_id(reddit_id: int, copy_number: int = 0) -> str:
    """Reddit's id in base 36. In a corpus that keeps duplicates the second copy is `id.1`."""
    text, number = "", abs(reddit_id)
    while number:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
    text = ("-" if reddit_id < 0 else "") + (text or "0")
    return f"{text}.{copy_number}" if copy_number else text


def format_time(at: datetime) -> str:
    """UTC, as in `2013-05-01T09:00:00Z`."""
    return at.isoformat().replace("+00:00", "Z")


def json_line(contents: dict[str, Any]) -> str:
    """Encode canonically: the same contents, in the same key order, give the same bytes."""
    return _ENCODER.encode(contents) + "\n"
