from annotator.models.audit import AuditEntry
from annotator.models.batches import Assignment, Batch, GuidelineVersion, SkipReason, State
from annotator.models.conclusions import Conclusion
from annotator.models.deletions import CorpusDeletion
from annotator.models.disputes import AdjudicationLease, Dispute, SameMeaning
from annotator.models.drafts import Draft, Submission
from annotator.models.exchange import Export, Format, ImportUndo, LabelImport, SourceRecord
from annotator.models.gold import BuiltGold, GoldBuild, GoldRecord, KnownAnswer, Reached, Target
from annotator.models.judgements import Evidence, Judgement
from annotator.models.people import Annotator, Invitation, Role
from annotator.models.prompted_answers import MODEL_PROMPTED, PromptedAnswer
from annotator.models.sessions import Session
from annotator.models.sittings import Flag, LookUp, Sitting

__all__ = [
    "MODEL_PROMPTED",
    "AdjudicationLease",
    "Annotator",
    "Assignment",
    "AuditEntry",
    "Batch",
    "BuiltGold",
    "Conclusion",
    "CorpusDeletion",
    "Dispute",
    "Draft",
    "Evidence",
    "Export",
    "Flag",
    "Format",
    "GoldBuild",
    "GoldRecord",
    "GuidelineVersion",
    "ImportUndo",
    "Invitation",
    "Judgement",
    "KnownAnswer",
    "LabelImport",
    "LookUp",
    "PromptedAnswer",
    "Reached",
    "Role",
    "SameMeaning",
    "Session",
    "Sitting",
    "SkipReason",
    "SourceRecord",
    "State",
    "Submission",
    "Target",
]
