from annotator.models.audit import AuditEntry
from annotator.models.batches import Assignment, Batch, GuidelineVersion, SkipReason, State
from annotator.models.conclusions import Conclusion
from annotator.models.drafts import Draft, Submission
from annotator.models.gold import GoldRecord, KnownAnswer, Reached
from annotator.models.judgements import Evidence, Judgement
from annotator.models.people import Annotator, Invitation, Role
from annotator.models.sittings import Flag, LookUp, Sitting

__all__ = [
    "Annotator",
    "Assignment",
    "AuditEntry",
    "Batch",
    "Conclusion",
    "Draft",
    "Evidence",
    "Flag",
    "GoldRecord",
    "GuidelineVersion",
    "Invitation",
    "Judgement",
    "KnownAnswer",
    "LookUp",
    "Reached",
    "Role",
    "Sitting",
    "SkipReason",
    "State",
    "Submission",
]
