from annotator.models.audit import AuditEntry
from annotator.models.batches import Assignment, Batch, GuidelineVersion, SkipReason, State
from annotator.models.conclusions import Conclusion
from annotator.models.disputes import AdjudicationLease, Dispute, SameMeaning
from annotator.models.drafts import Draft, Submission
from annotator.models.exchange import Export, Format, LabelImport, SourceRecord
from annotator.models.gold import GoldBuild, GoldRecord, KnownAnswer, Reached, Target
from annotator.models.judgements import Evidence, Judgement
from annotator.models.people import Annotator, Invitation, Role
from annotator.models.sittings import Flag, LookUp, Sitting

__all__ = [
    "AdjudicationLease",
    "Annotator",
    "Assignment",
    "AuditEntry",
    "Batch",
    "Conclusion",
    "Dispute",
    "Draft",
    "Evidence",
    "Export",
    "Flag",
    "Format",
    "GoldBuild",
    "GoldRecord",
    "GuidelineVersion",
    "Invitation",
    "Judgement",
    "KnownAnswer",
    "LabelImport",
    "LookUp",
    "Reached",
    "Role",
    "SameMeaning",
    "Sitting",
    "SkipReason",
    "SourceRecord",
    "State",
    "Submission",
    "Target",
]
