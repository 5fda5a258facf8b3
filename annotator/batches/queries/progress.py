"""Open batches and how far they are, for the home page and the overview."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from annotator.charts.meter import Meter, meter
from annotator.core.sql import related
from annotator.models import Annotator, Assignment, Batch, Role
from annotator.models.batches import FINISHED, HELD, IN_POOL, BatchQuerySet


@dataclass(frozen=True, slots=True)
class BatchProgress:
    batch: Batch
    done: int
    total: int
    held: int | None = None  # the assignment that the annotator has open

    @property
    def is_through(self) -> bool:
        return self.done >= self.total

    @property
    def meter(self) -> Meter:
        return meter(self.done, self.total)


IS_FINISHED, IS_HELD = related("assignments", FINISHED), related("assignments", HELD)
COUNTS = {"total": Count("assignments"), "done": Count("assignments", filter=IS_FINISHED)}


def labellable_batches(annotator: Annotator) -> BatchQuerySet:
    """Started batches with something for the annotator: their own, pools, and every practice batch for evaluators."""
    own = annotator.assignments.values("batch")
    pools = Assignment.objects.in_pool().values("batch")
    started = Batch.objects.started()
    if not annotator.has_role(Role.EVALUATOR):
        return started.filter(pk__in=own)
    return started.filter(Q(pk__in=own) | Q(is_practice=True) | Q(pk__in=pools))


def batches_of(annotator: Annotator) -> list[BatchProgress]:
    """What the annotator can label now, counting their own assignments and the pool. 1 query."""
    own, pool = Q(assignments__annotator=annotator), related("assignments", IN_POOL)
    batches: Iterable[Any] = (
        labellable_batches(annotator)
        .open()
        .annotate(
            total=Count("assignments", filter=own | pool),
            done=Count("assignments", filter=own & IS_FINISHED),
            held=Max("assignments", filter=own & IS_HELD),
        )
        .order_by("-is_practice", "started_at", "pk")
    )
    return [BatchProgress(b, b.done, b.total or len(b.draw.get("profiles", ())), b.held) for b in batches]


def open_batches() -> list[BatchProgress]:
    """Every open batch with all its assignments. 1 query."""
    batches: Iterable[Any] = Batch.objects.open().annotate(**COUNTS).order_by("started_at", "pk")
    return [BatchProgress(b, b.done, b.total) for b in batches]


def assignments_of(annotator: Annotator, batch: Batch) -> QuerySet[Assignment]:
    """The annotator's assignments in a batch, in drawn order. 1 query when read."""
    own = batch.assignments.filter(annotator=annotator).select_related("profile")
    return own.order_by("position", "slot")
