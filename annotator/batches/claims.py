"""Handing batches out, and drawing one that starts at once."""

from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils import timezone

from annotator.batches.drafts import draw_draft
from annotator.batches.drawing.plan import Plan
from annotator.batches.drawing.shares import Share
from annotator.batches.lifecycle import start
from annotator.core.sql import Rows
from annotator.detection.queries.recipes import newest_recipe
from annotator.models import Annotator, Assignment, Batch, GuidelineVersion
from profiles.models import Corpus, Profile, Recipe


def draw_batch(
    *,
    name: str,
    corpus: Corpus,
    guideline: GuidelineVersion,
    size: int,
    seed: int,
    overlap: int = 1,
    recipe: Recipe | None = None,
    annotators: Sequence[Annotator] = (),
    created_by: Annotator | None = None,
) -> Batch:
    """Draw from the whole corpus and start at once. The same corpus, size and seed give the same batch.

    With annotators named, each slot is meant for one of them in turn; without, the slots form a shared pool.
    """
    plan = Plan(
        name=name, corpus=corpus, guideline=guideline, size=size, seed=seed, overlap=overlap,
        recipe=recipe or newest_recipe(corpus), people=tuple(Share(annotator.pk) for annotator in annotators),
    )  # fmt: skip
    with transaction.atomic():
        return start(draw_draft(plan, by=created_by), by=created_by)


# As `Assignment.objects.held_by()`, `meant_for()` and `free_for()`, in order; the last two locked, and nothing of a
# batch that was closed or paused a moment ago. A batch for relabelling gives nobody a profile that they have labelled
# before, in whichever batch.
HELD = Rows(
    """
    SELECT {columns} FROM annotator_assignment assignment
    WHERE batch_id = %(batch)s AND annotator_id = %(person)s
        AND claimed_at IS NOT NULL AND submitted_at IS NULL AND skipped_at IS NULL
    """,
    {"assignment": Assignment},
)
NEXT = """
    SELECT {{columns}} FROM annotator_assignment assignment JOIN annotator_batch batch ON batch.id = assignment.batch_id
    WHERE assignment.batch_id = %(batch)s AND assignment.claimed_at IS NULL
        AND batch.started_at IS NOT NULL AND batch.closed_at IS NULL AND batch.paused_at IS NULL AND {whose}
    ORDER BY assignment.position, assignment.slot LIMIT 1 FOR UPDATE OF assignment SKIP LOCKED
"""
NEW_TO_THEM = """
    assignment.annotator_id IS NULL AND NOT EXISTS (
        SELECT FROM annotator_assignment other
        WHERE other.profile_id = assignment.profile_id AND other.annotator_id = %(person)s
            AND (other.batch_id = assignment.batch_id OR %(relabel)s AND other.submitted_at IS NOT NULL)
    )
"""
MEANT = Rows(NEXT.format(whose="assignment.annotator_id = %(person)s"), {"assignment": Assignment})
FREE = Rows(NEXT.format(whose=NEW_TO_THEM), {"assignment": Assignment})


class PracticeFirst(Exception):
    """The batch asks for a practice batch to be finished before."""

    def __init__(self, practice: Batch) -> None:
        super().__init__(f"Finish the practice batch “{practice.name}” first. Then this batch is yours.")
        self.practice = practice


def claim_next(*, batch: Batch, annotator: Annotator) -> Assignment | None:
    """Hand the annotator their open assignment, or the next one for them, or None."""
    held = HELD.first({"batch": batch.pk, "person": annotator.pk})
    if held is not None:
        return _of(batch, held)
    if not batch.started_at or batch.paused_at or batch.closed_at:
        return None
    _refuse_unpractised(batch, annotator)
    try:
        with transaction.atomic():
            return _take(batch, annotator)
    except IntegrityError:
        # A second tab claimed for the same annotator first; the constraint kept it to one.
        return batch.assignments.held_by(annotator).get()


def prepare_next(*, batch: Batch, annotator: Annotator) -> Assignment | None:
    """What comes after the one at hand, from now on meant for the annotator, so that it can be got ready."""
    if batch.paused_at or batch.closed_at:
        return None
    with transaction.atomic():
        assignment = _next(batch, annotator)
        if assignment is not None and assignment.annotator_id is None:
            assignment.annotator = annotator
            assignment.save(update_fields=["annotator"])
    return assignment


def _take(batch: Batch, annotator: Annotator) -> Assignment | None:
    assignment = _next(batch, annotator)
    if assignment is None:
        return None
    assignment.annotator, assignment.claimed_at = annotator, timezone.now()
    assignment.save(update_fields=["annotator", "claimed_at"])
    return assignment


def _next(batch: Batch, annotator: Annotator) -> Assignment | None:
    """What is meant for the annotator comes before what is anybody's. Locked. 1 query, or 2.

    Nothing of a batch that was closed or paused a moment ago, after it was looked up.
    """
    values = {"batch": batch.pk, "person": annotator.pk, "relabel": _relabels(batch)}
    found = MEANT.first(values) or FREE.first(values)
    return _of(batch, found) if found else None


def _of(batch: Batch, found: list[Any]) -> Assignment:
    assignment: Assignment = found[0]
    assignment.batch = batch
    return assignment


def _relabels(batch: Batch) -> bool:
    return bool(batch.draw.get("criteria", {}).get("relabel"))


def _refuse_unpractised(batch: Batch, annotator: Annotator) -> None:
    practice = batch.after_practice
    if practice is not None and not has_practised(practice, annotator):
        raise PracticeFirst(practice)


def has_practised(practice: Batch, annotator: Annotator) -> bool:
    """Is through with every profile of the practice batch that is still there. 1 query, or 2."""
    given = practice.assignments.filter(annotator=annotator)
    through = Q(submitted_at__isnull=False) | Q(skipped_at__isnull=False)
    done = given.aggregate(all=Count("pk"), done=Count("pk", filter=through))
    if not done["all"]:
        return not Profile.objects.filter(pk__in=practice.draw.get("profiles", [])).exists()
    return bool(done["all"] == done["done"])
