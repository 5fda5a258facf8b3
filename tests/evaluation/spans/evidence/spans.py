"""Plain functions that make evidence, with boring defaults."""

from evaluation.spans.evidence.records import CoveredSpan, EvidenceRecord, Skip
from evaluation.spans.evidence.report import Settings
from evaluation.spans.records import LabelledSpan

ATTRIBUTES = ("location", "age")


def mark(start: int, end: int, label: str = "LOCATION") -> LabelledSpan:
    return LabelledSpan(start, end, label)


def covered(text: str, *detections: LabelledSpan, start: int = 0, comment: int = 1, skip: Skip | None = None):
    return CoveredSpan(start, start + len(text), comment, text, detections, skip)


def record(*evidence: CoveredSpan, pk: int = 1, profile: int = 1, attribute: str = "location", hardness: int = 1):
    return EvidenceRecord(pk, profile, attribute, hardness, evidence)


def settings(**fields: object) -> Settings:
    defaults = {"scope": "corpus-1", "source": "gold", "recipe": "f" * 64, "detection_run": 1}
    return Settings(**(defaults | {"attributes": ATTRIBUTES, "bootstrap": 100} | fields))
