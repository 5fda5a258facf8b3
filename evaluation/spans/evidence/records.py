"""What is scored: spans of evidence, each with the detections that overlap it."""

from dataclasses import dataclass
from enum import StrEnum

from evaluation.spans.records import LabelledSpan
from profiles.spans import Span


class Skip(StrEnum):
    """Why a span of evidence can't be scored. It is left out and counted."""

    NOT_ANALYSED = "not-analysed"  # its comment has no finished detection
    LANGUAGE = "language"  # its comment is in a language without a model
    FAILED = "failed"  # the analysis of its comment failed, or took too long
    GONE = "gone"  # its comment is gone, or no longer has this text


@dataclass(frozen=True, slots=True)
class CoveredSpan(Span):
    """A span of evidence with its text, and the detections that overlap it."""

    comment: int
    text: str
    detections: tuple[LabelledSpan, ...] = ()
    skip: Skip | None = None


@dataclass(frozen=True, slots=True)
class EvidenceRecord:
    """A gold record or a judgement that has a value. Without evidence it is only counted."""

    id: int
    profile: int
    attribute: str
    hardness: int
    evidence: tuple[CoveredSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class DetectionCount:
    """How many spans of a type Presidio marked in all comments of a profile."""

    profile: int
    entity_type: str
    count: int
