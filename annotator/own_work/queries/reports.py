"""What became of an evaluator's own flags, skips and notes. Only their own rows."""

from typing import Any

from django.core.paginator import Page
from django.db.models import Exists, OuterRef, QuerySet, TextChoices

from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from annotator.models import Annotator, Assignment, Flag, Judgement
from annotator.models.batches import TAKEN_BACK


class Report(TextChoices):
    """What an evaluator told the admins, as part of the address."""

    FLAGS = "flags", "Flags"
    SKIPS = "skips", "Skips"
    NOTES = "notes", "Notes"


REPORT_COLUMNS = {
    Report.FLAGS: {
        "profile": "assignment__profile__pseudonym -flagged_at",
        "batch": "assignment__batch__name -flagged_at",
        "when": "-flagged_at",
        "outcome": "-handled_at -flagged_at",
    },
    Report.SKIPS: {
        "profile": "profile__pseudonym -skipped_at",
        "batch": "batch__name -skipped_at",
        "reason": "skip_reason -skipped_at",
        "when": "-skipped_at",
        "outcome": "-handled_at -skipped_at",
    },
    Report.NOTES: {
        "profile": "assignment__profile__pseudonym -judged_at",
        "batch": "assignment__batch__name -judged_at",
        "attribute": "attribute -judged_at",
        "when": "-judged_at",
    },
}


def own_reports(
    annotator: Annotator, report: Report, sorting: Sorting, number: str
) -> "Page[Flag | Assignment | Judgement]":
    """One page of them. 2 queries."""
    rows = {Report.FLAGS: _flags, Report.SKIPS: _skips, Report.NOTES: _notes}[report](annotator)
    return page_of(rows.order_by(*sorting.order), number, lambda row: row)


def _flags(annotator: Annotator) -> QuerySet[Any]:
    flags = Flag.objects.filter(assignment__annotator=annotator)
    related = flags.select_related("assignment__batch", "assignment__profile", "comment__subreddit")
    return related.defer("comment__body")


def _skips(annotator: Annotator) -> QuerySet[Any]:
    """Without profiles that an admin took back: those are not the evaluator's skips."""
    others = Assignment.objects.filter(batch=OuterRef("batch"), profile=OuterRef("profile"), slot__gt=OuterRef("slot"))
    skips = annotator.assignments.skipped().exclude(TAKEN_BACK)
    handed_on = skips.annotate(is_handed_on=Exists(others.exclude(annotator=annotator)))
    return handed_on.select_related("batch", "profile")


def _notes(annotator: Annotator) -> QuerySet[Any]:
    notes = Judgement.objects.filter(assignment__annotator=annotator, assignment__submitted_at__isnull=False)
    return notes.exclude(note="").select_related("assignment__batch", "assignment__profile")
