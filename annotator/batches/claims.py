"""Hand out the assignments of a batch, one at a time."""

from typing import Any

from django.db import IntegrityError
from django.db.models import Count
from django.utils import timezone

from annotator.batches.drawing.plan import relabels
from annotator.core.sql import HISTORY, Rows, history_values
from annotator.models import Annotator, Assignment, Batch
from annotator.models.batches import FINISHED
from profiles.models import Profile

# HELD, MEANT and FREE state the rules of `Assignment.objects.held_by()`, `meant_for()` and `free_for()`. MEANT and FREE
# also lock the row, and find nothing in a batch that was closed or paused a moment ago. In a batch for relabelling,
# FREE gives nobody a profile that they have submitted before in any batch, and skips what somebody else is taking.
# MEANT waits instead: somebody who was looking for a free assignment may still hold a lock on this one.
TABLES = {"assignment": Assignment, "profile": Profile}
HELD = Rows(
    """
    SELECT {columns} FROM annotator_assignment assignment
    JOIN profiles_profile profile ON profile.id = assignment.profile_id
    WHERE batch_id = %(batch)s AND annotator_id = %(annotator)s
        AND claimed_at IS NOT NULL AND submitted_at IS NULL AND skipped_at IS NULL
    """,
    TABLES,
)
NEXT = """
    SELECT assignment.id FROM annotator_assignment assignment
    JOIN annotator_batch batch ON batch.id = assignment.batch_id
    WHERE assignment.batch_id = %(batch)s AND assignment.claimed_at IS NULL
        AND batch.started_at IS NOT NULL AND batch.closed_at IS NULL AND batch.paused_at IS NULL AND {condition}
    ORDER BY assignment.position, assignment.slot LIMIT 1 FOR UPDATE OF assignment{locked}
"""
MEANT = NEXT.format(condition="assignment.annotator_id = %(annotator)s", locked="")
FREE = NEXT.format(
    locked=" SKIP LOCKED",
    condition="""
    assignment.annotator_id IS NULL AND assignment.profile_id NOT IN (
        SELECT other.profile_id FROM annotator_assignment other
        WHERE other.annotator_id = %(annotator)s
            AND (other.batch_id = %(batch)s OR %(relabel)s AND other.submitted_at IS NOT NULL)
    )""",
)
TAKE = """
    WITH {history}
    UPDATE annotator_assignment assignment SET annotator_id = %(annotator)s{changes}
    FROM profiles_profile profile, history WHERE assignment.id = ({next}) AND profile.id = assignment.profile_id
    RETURNING {{columns}}
"""
READ = """
    SELECT {{columns}} FROM annotator_assignment assignment
    JOIN profiles_profile profile ON profile.id = assignment.profile_id WHERE assignment.id = ({next})
"""
CLAIM = ", claimed_at = %(now)s"
MEANT_TO_READ = Rows(READ.format(next=MEANT), TABLES)
FREE_TO_RESERVE = Rows(TAKE.format(next=FREE, changes="", history=HISTORY), TABLES)
MEANT_TO_CLAIM = Rows(TAKE.format(next=MEANT, changes=CLAIM, history=HISTORY), TABLES)
FREE_TO_CLAIM = Rows(TAKE.format(next=FREE, changes=CLAIM, history=HISTORY), TABLES)


class PracticeFirst(Exception):
    """The annotator must finish a practice batch before this one."""

    def __init__(self, practice: Batch) -> None:
        super().__init__(f"Finish the practice batch “{practice.name}” first. Then you can start this one.")
        self.practice = practice


def claim_next(*, batch: Batch, annotator: Annotator, holds_none: bool = False) -> Assignment | None:
    """Return the annotator's open assignment. If there is none, claim the next one, or return None if none is left.

    `holds_none` means that they have just submitted their open assignment. Another tab may have claimed one since
    then, so it is looked for last instead of first.
    """
    held = None if holds_none else _held(batch, annotator)
    if held is not None:
        return held
    if not batch.started_at or batch.paused_at or batch.closed_at:
        return None
    _require_practice(batch, annotator)
    try:
        return _claim(batch, annotator) or (_held(batch, annotator) if holds_none else None)
    except IntegrityError:
        # A second tab claimed for the same annotator first; the constraint kept it to one.
        return batch.assignments.held_by(annotator).get()


def prepare_next(*, batch: Batch, annotator: Annotator) -> Assignment | None:
    """Reserve the next assignment for the annotator, so that its page can be prepared. 1 or 2 queries."""
    if batch.paused_at or batch.closed_at:
        return None
    values = _values(batch, annotator)
    return _linked(batch, MEANT_TO_READ.first(values) or FREE_TO_RESERVE.first(values | history_values()))


def has_practised(practice: Batch, annotator: Annotator) -> bool:
    """Whether the annotator has finished every profile of the practice batch that still exists. 1 or 2 queries."""
    own = practice.assignments.filter(annotator=annotator)
    counts = own.aggregate(total=Count("pk"), finished=Count("pk", filter=FINISHED))
    if not counts["total"]:
        return not Profile.objects.filter(pk__in=practice.draw.get("profiles", [])).exists()
    return bool(counts["total"] == counts["finished"])


def _held(batch: Batch, annotator: Annotator) -> Assignment | None:
    return _linked(batch, HELD.first({"batch": batch.pk, "annotator": annotator.pk}))


def _claim(batch: Batch, annotator: Annotator) -> Assignment | None:
    """Claim what is meant for the annotator first, then what is free in the pool. 1 or 2 queries."""
    values = _values(batch, annotator) | history_values()
    return _linked(batch, MEANT_TO_CLAIM.first(values) or FREE_TO_CLAIM.first(values))


def _values(batch: Batch, annotator: Annotator) -> dict[str, Any]:
    relabel = relabels(batch)
    return {"batch": batch.pk, "annotator": annotator.pk, "relabel": relabel, "now": timezone.now()}


def _linked(batch: Batch, row: list[Any] | None) -> Assignment | None:
    if row is None:
        return None
    assignment: Assignment
    assignment, assignment.profile = row
    assignment.batch = batch
    return assignment


def _require_practice(batch: Batch, annotator: Annotator) -> None:
    practice = batch.after_practice
    if practice is not None and not has_practised(practice, annotator):
        raise PracticeFirst(practice)
