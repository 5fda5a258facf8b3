"""Hand out the assignments of a batch, one at a time."""

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count
from django.utils import timezone

from annotator.batches.drawing.plan import relabels
from annotator.core.sql import Rows
from annotator.models import Annotator, Assignment, Batch
from annotator.models.batches import FINISHED
from profiles.models import Profile

# HELD, MEANT and FREE state the rules of `Assignment.objects.held_by()`, `meant_for()` and `free_for()`. MEANT and FREE
# also lock the row, and find nothing in a batch that was closed or paused a moment ago. In a batch for relabelling,
# FREE gives nobody a profile that they have submitted before in any batch.
HELD = Rows(
    """
    SELECT {columns} FROM annotator_assignment assignment
    WHERE batch_id = %(batch)s AND annotator_id = %(annotator)s
        AND claimed_at IS NOT NULL AND submitted_at IS NULL AND skipped_at IS NULL
    """,
    {"assignment": Assignment},
)
NEXT = """
    SELECT {{columns}} FROM annotator_assignment assignment JOIN annotator_batch batch ON batch.id = assignment.batch_id
    WHERE assignment.batch_id = %(batch)s AND assignment.claimed_at IS NULL
        AND batch.started_at IS NOT NULL AND batch.closed_at IS NULL AND batch.paused_at IS NULL AND {condition}
    ORDER BY assignment.position, assignment.slot LIMIT 1 FOR UPDATE OF assignment SKIP LOCKED
"""
MEANT_FOR_ANNOTATOR = "assignment.annotator_id = %(annotator)s"
FREE_AND_NEW_TO_ANNOTATOR = """
    assignment.annotator_id IS NULL AND NOT EXISTS (
        SELECT FROM annotator_assignment other
        WHERE other.profile_id = assignment.profile_id AND other.annotator_id = %(annotator)s
            AND (other.batch_id = assignment.batch_id OR %(relabel)s AND other.submitted_at IS NOT NULL)
    )
"""
MEANT = Rows(NEXT.format(condition=MEANT_FOR_ANNOTATOR), {"assignment": Assignment})
FREE = Rows(NEXT.format(condition=FREE_AND_NEW_TO_ANNOTATOR), {"assignment": Assignment})


class PracticeFirst(Exception):
    """The annotator must finish a practice batch before this one."""

    def __init__(self, practice: Batch) -> None:
        super().__init__(f"Finish the practice batch “{practice.name}” first. Then you can start this one.")
        self.practice = practice


def claim_next(*, batch: Batch, annotator: Annotator) -> Assignment | None:
    """Return the annotator's open assignment, or claim the next one for them, or return None."""
    held = HELD.first({"batch": batch.pk, "annotator": annotator.pk})
    if held is not None:
        return _with_batch(batch, held)
    if not batch.started_at or batch.paused_at or batch.closed_at:
        return None
    _require_practice(batch, annotator)
    try:
        with transaction.atomic():
            return _claim(batch, annotator)
    except IntegrityError:
        # A second tab claimed for the same annotator first; the constraint kept it to one.
        return batch.assignments.held_by(annotator).get()


def prepare_next(*, batch: Batch, annotator: Annotator) -> Assignment | None:
    """Reserve the next assignment for the annotator, so that its page can be prepared."""
    if batch.paused_at or batch.closed_at:
        return None
    with transaction.atomic():
        assignment = _lock_next(batch, annotator)
        if assignment is not None and assignment.annotator_id is None:
            assignment.annotator = annotator
            assignment.save(update_fields=["annotator"])
    return assignment


def has_practised(practice: Batch, annotator: Annotator) -> bool:
    """Whether the annotator has finished every profile of the practice batch that still exists. 1 or 2 queries."""
    own = practice.assignments.filter(annotator=annotator)
    counts = own.aggregate(total=Count("pk"), finished=Count("pk", filter=FINISHED))
    if not counts["total"]:
        return not Profile.objects.filter(pk__in=practice.draw.get("profiles", [])).exists()
    return bool(counts["total"] == counts["finished"])


def _claim(batch: Batch, annotator: Annotator) -> Assignment | None:
    assignment = _lock_next(batch, annotator)
    if assignment is None:
        return None
    assignment.annotator, assignment.claimed_at = annotator, timezone.now()
    assignment.save(update_fields=["annotator", "claimed_at"])
    return assignment


def _lock_next(batch: Batch, annotator: Annotator) -> Assignment | None:
    """The next unclaimed assignment, locked: those meant for the annotator first, then the pool. 1 or 2 queries."""
    values = {"batch": batch.pk, "annotator": annotator.pk, "relabel": relabels(batch)}
    row = MEANT.first(values) or FREE.first(values)
    return _with_batch(batch, row) if row else None


def _with_batch(batch: Batch, row: list[Any]) -> Assignment:
    assignment: Assignment = row[0]
    assignment.batch = batch
    return assignment


def _require_practice(batch: Batch, annotator: Annotator) -> None:
    practice = batch.after_practice
    if practice is not None and not has_practised(practice, annotator):
        raise PracticeFirst(practice)
