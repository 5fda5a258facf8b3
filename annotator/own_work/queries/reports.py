"""What became of an evaluator's own flags, skips and notes. Only their own rows, newest first."""

from typing import Any

from django.core.paginator import Page
from django.db.models import Exists, OuterRef, QuerySet, TextChoices

from annotator.core.pages import page_of
from annotator.models import Annotator, Assignment, Flag, Judgement
from annotator.models.batches import TAKEN_BACK


class Report(TextChoices):
    """What an evaluator told the admins, as part of the address."""

    FLAGS = "flags", "Flags"
    SKIPS = "skips", "Skips"
    NOTES = "notes", "Notes"


def own_reports(annotator: Annotator, report: Report, number: str) -> "Page[Flag | Assignment | Judgement]":
    """One page of them. 2 queries."""
    rows = {Report.FLAGS: _flags, Report.SKIPS: _skips, Report.NOTES: _notes}[report](annotator)
    return page_of(rows, number, lambda row: row)


def _flags(annotator: Annotator) -> QuerySet[Any]:
    flags = Flag.objects.filter(assignment__annotator=annotator)
    related = flags.select_related("assignment__batch", "assignment__profile", "comment__subreddit")
    return related.defer("comment__body").order_by("-flagged_at", "-pk")


def _skips(annotator: Annotator) -> QuerySet[Any]:
    """Without profiles that an admin took back: those are not the evaluator's skips."""
    others = Assignment.objects.filter(batch=OuterRef("batch"), profile=OuterRef("profile"), slot__gt=OuterRef("slot"))
    skips = annotator.assignments.skipped().exclude(TAKEN_BACK)
    handed_on = skips.annotate(is_handed_on=Exists(others.exclude(annotator=annotator)))
    return handed_on.select_related("batch", "profile").order_by("-skipped_at", "-pk")


def _notes(annotator: Annotator) -> QuerySet[Any]:
    notes = Judgement.objects.filter(assignment__annotator=annotator, assignment__submitted_at__isnull=False)
    with_note = notes.exclude(note="").select_related("assignment__batch", "assignment__profile")
    return with_note.order_by("-judged_at", "-pk")
