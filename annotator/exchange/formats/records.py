"""One profile with all that is said about it, on its way from rows to a line. Plain data, no database."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from profiles.spans import EntitySpan, Span

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class WrittenComment:
    pk: int
    id: str
    subreddit: str
    written_at: datetime
    text: str  # empty where texts were not asked for


@dataclass(frozen=True, slots=True)
class CitedSpan(Span):
    """Evidence as a file cites it: a span of a comment, by the comment's id."""

    comment: str  # empty where the file has none
    text: str  # empty where the file has none


@dataclass(frozen=True, slots=True)
class Said:
    """One answer: the empty value says that nothing could be told."""

    value: str
    hardness: int
    certainty: int
    required_subreddit: bool
    evidence: list[CitedSpan]


@dataclass(frozen=True, slots=True)
class Answer(Said):
    note: str
    geoname_id: int | None
    active_seconds: int


@dataclass(frozen=True, slots=True)
class Gold(Said):
    reached: str
    rule: str
    reason: str
    decided_by: str  # a code, or nothing where a rule decided
    decided_at: datetime
    guideline: int | None


@dataclass(frozen=True, slots=True)
class Review:
    """What one annotator submitted, under the code that stands for them."""

    annotator: str
    batch: str
    guideline: int
    submitted_at: datetime
    active_seconds: int
    answers: dict[str, Answer]


@dataclass(slots=True)
class LabelledProfile:
    pseudonym: str
    corpus: str
    account: str = ""  # only where names were asked for
    comments: list[WrittenComment] = field(default_factory=list)
    gold: dict[str, Gold] = field(default_factory=dict)
    reviews: list[Review] = field(default_factory=list)
    source: dict[str, Any] | None = None
    detections: dict[int, list[EntitySpan]] = field(default_factory=dict)  # by the comment's row

    @property
    def name(self) -> str:
        return self.account or self.pseudonym

    @property
    def has_something(self) -> bool:
        return bool(self.gold or self.reviews or self.source)


def written_id(reddit_id: int, copy_number: int = 0) -> str:
    """Reddit's id as Reddit writes it. A second copy of a line, in a corpus that keeps them, is `id.1`."""
    text, number = "", abs(reddit_id)
    while number:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
    text = ("-" if reddit_id < 0 else "") + (text or "0")
    return f"{text}.{copy_number}" if copy_number else text


def moment(at: datetime) -> str:
    """In UTC, as `2013-05-01T09:00:00Z`."""
    return at.isoformat().replace("+00:00", "Z")
