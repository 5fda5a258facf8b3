"""Batches as the home page shows them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from annotator.charts.meter import Meter, meter
from annotator.models import Annotator, Assignment, Batch, Role


@dataclass(frozen=True, slots=True)
class BatchProgress:
    batch: Batch
    done: int
    total: int
    held: int | None = None

    @property
    def is_through(self) -> bool:
        return self.done >= self.total

    @property
    def meter(self) -> Meter:
        return meter(self.done, self.total)


DONE = Q(assignments__submitted_at__isnull=False) | Q(assignments__skipped_at__isnull=False)
HELD = Q(assignments__claimed_at__isnull=False, assignments__submitted_at=None, assignments__skipped_at=None)

COUNTS = {"total": Count("assignments"), "done": Count("assignments", filter=DONE)}


def labellable_batches(annotator: Annotator) -> QuerySet[Batch]:
    """Open batches with something for the annotator: theirs, anybody's, and every practice batch for evaluators."""
    mine = annotator.assignments.values("batch")
    pools = Assignment.objects.filter(annotator=None, claimed_at=None).values("batch")
    found = Batch.objects.filter(started_at__isnull=False)
    if not annotator.has_role(Role.EVALUATOR):
        return found.filter(pk__in=mine)
    return found.filter(Q(pk__in=mine) | Q(is_practice=True) | Q(pk__in=pools))


def batches_of(annotator: Annotator) -> list[BatchProgress]:
    """What the annotator can label, with their own slots and what is left for anybody. 1 query."""
    mine, pool = Q(assignments__annotator=annotator), Q(assignments__annotator=None, assignments__claimed_at=None)
    counted: Iterable[Any] = (
        labellable_batches(annotator)
        .filter(closed_at=None)
        .annotate(
            total=Count("assignments", filter=mine | pool),
            done=Count("assignments", filter=mine & DONE),
            held=Max("assignments", filter=mine & HELD),
        )
        .order_by("-is_practice", "started_at", "pk")
    )
    return [BatchProgress(b, b.done, b.total or len(b.draw.get("profiles", ())), b.held) for b in counted]


def open_batches() -> list[BatchProgress]:
    """Every open batch with all its slots. 1 query."""
    counted: Iterable[Any] = Batch.objects.open().annotate(**COUNTS).order_by("started_at", "pk")
    return [BatchProgress(b, b.done, b.total) for b in counted]


def own_assignments(annotator: Annotator, batch: Batch) -> QuerySet[Assignment]:
    """What the annotator was given in a batch, in the drawn order. 1 query when read."""
    mine = batch.assignments.filter(annotator=annotator).select_related("profile")
    return mine.order_by("position", "slot")
