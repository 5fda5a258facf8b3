"""Batches as the home page shows them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from annotator.models import Annotator, Assignment, Batch
from annotator.pictures.meter import Meter, meter


@dataclass(frozen=True, slots=True)
class BatchProgress:
    batch: Batch
    done: int
    total: int
    held_profile: int | None = None

    @property
    def meter(self) -> Meter:
        return meter(self.done, self.total)


DONE = Q(assignments__submitted_at__isnull=False) | Q(assignments__skipped_at__isnull=False)
HELD = Q(assignments__claimed_at__isnull=False, assignments__submitted_at=None, assignments__skipped_at=None)

COUNTS = {"total": Count("assignments"), "done": Count("assignments", filter=DONE)}


def batches_of(annotator: Annotator) -> list[BatchProgress]:
    """The annotator's own slots in each of their open batches. 1 query."""
    batches = Batch.objects.open().filter(assignments__annotator=annotator)
    held = Max("assignments__profile", filter=HELD)
    counted: Iterable[Any] = batches.annotate(**COUNTS, held=held).order_by("started_at", "pk")
    return [BatchProgress(b, b.done, b.total, b.held) for b in counted]


def open_batches() -> list[BatchProgress]:
    """Every open batch with all its slots. 1 query."""
    counted: Iterable[Any] = Batch.objects.open().annotate(**COUNTS).order_by("started_at", "pk")
    return [BatchProgress(b, b.done, b.total) for b in counted]


def own_assignments(annotator: Annotator, batch: Batch) -> QuerySet[Assignment]:
    """What the annotator was given in a batch, in the drawn order. 1 query when read."""
    mine = batch.assignments.filter(annotator=annotator).select_related("profile")
    return mine.order_by("position", "slot")
