from annotator.models.audit import AuditEntry
from annotator.models.batches import Assignment, Batch, GuidelineVersion, SkipReason
from annotator.models.conclusions import Conclusion
from annotator.models.gold import GoldRecord, KnownAnswer, Reached
from annotator.models.judgements import Evidence, Judgement
from annotator.models.people import Annotator, Invitation, Role

__all__ = [
    "Annotator",
    "Assignment",
    "AuditEntry",
    "Batch",
    "Conclusion",
    "Evidence",
    "GoldRecord",
    "GuidelineVersion",
    "Invitation",
    "Judgement",
    "KnownAnswer",
    "Reached",
    "Role",
    "SkipReason",
]
