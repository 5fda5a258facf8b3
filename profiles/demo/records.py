"""The records of the demo corpus. Spans are half-open, in code points of the comment's body."""

from dataclasses import dataclass
from datetime import datetime

from profiles.spans import Span


@dataclass(frozen=True, slots=True)
class DemoSpan(Span):
    comment_id: str


@dataclass(frozen=True, slots=True)
class DemoAnswer:
    """One planted fact about a profile; `why` tells a learner how it can be inferred."""

    attribute: str
    value: str
    hardness: int
    certainty: int
    required_subreddit: bool
    evidence: tuple[DemoSpan, ...]
    why: str


@dataclass(frozen=True, slots=True)
class DemoComment:
    reddit_id: str
    subreddit: str
    written_at: datetime
    body: str
    score: int
    language: str


@dataclass(frozen=True, slots=True)
class DemoProfile:
    """Comments are in the order they were written, answers in the order of the attributes."""

    account: str
    comments: tuple[DemoComment, ...]
    answers: tuple[DemoAnswer, ...]
