"""The tables that a takedown deletes from, and how they are cleaned up afterwards."""

from django.apps import apps
from django.db import models

from annotator.core.dependents import Dependent, dependents
from annotator.core.vacuum import vacuum
from annotator.models import (
    AdjudicationLease,
    Assignment,
    BuiltGold,
    Dispute,
    Draft,
    Evidence,
    Flag,
    GoldRecord,
    Judgement,
    KnownAnswer,
    LookUp,
    PromptedAnswer,
    Sitting,
    SourceRecord,
    Submission,
)
from profiles.models import AccountName, Comment, Detection, Presence, Profile, Unanalysed

HISTORY: tuple[type[models.Model], ...] = tuple(
    apps.get_model("annotator", f"{name}Event") for name in ("Judgement", "Assignment", "GoldRecord", "PromptedAnswer")
)
# What evaluation keeps about profiles, which this app doesn't know by name.
OF_OTHER_APPS: tuple[Dependent, ...] = tuple(
    dependent for dependent in dependents(Profile) if dependent.model._meta.app_label not in ("annotator", "profiles")
)
TOUCHED_TABLES: tuple[type[models.Model], ...] = (
    Profile, Comment, Detection, Unanalysed, Presence, AccountName, Assignment, Draft, Submission, Sitting, LookUp,
    Flag, Judgement, Evidence, GoldRecord, BuiltGold, KnownAnswer, Dispute, AdjudicationLease, SourceRecord,
    PromptedAnswer, *HISTORY,
    *(dependent.model for dependent in OF_OTHER_APPS),
)  # fmt: skip


def vacuum_touched_tables() -> None:
    """Remove deleted rows from the files, and their words from the planner's statistics."""
    vacuum(TOUCHED_TABLES)
