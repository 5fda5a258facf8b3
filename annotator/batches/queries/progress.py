"""Open batches and their progress, for the home page and the overview. See `own_progress` for “12 of 24”."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotator.batches.queries.own_progress import OwnProgress, own_progress
from annotator.charts.meter import Meter, meter
from annotator.core.sql import related
from annotator.models import Annotator, Assignment, Batch, Role
from annotator.models.batches import DONE, HANDED_OVER, HELD, BatchQuerySet


@dataclass(frozen=True, slots=True)
class BatchProgress:
    batch: Batch
    done: int
    total: int

    @property
    def is_through(self) -> bool:
        return self.done >= self.total

    @property
    def meter(self) -> Meter:
        return meter(self.done, self.total)


@dataclass(frozen=True, slots=True)
class OwnBatch:
    """A batch that an evaluator labels, and how far they are."""

    batch: Batch
    progress: OwnProgress


IS_DONE, IS_HELD = related("assignments", DONE), related("assignments", HELD)
IS_COUNTED = ~related("assignments", HANDED_OVER)  # what was handed over counts once, for whoever has it now
COUNTS = {"total": Count("assignments", filter=IS_COUNTED), "done": Count("assignments", filter=IS_DONE)}


def labellable_batches(annotator: Annotator) -> BatchQuerySet:
    """Started batches that the annotator may label: their own and, for evaluators, pools and all practice batches."""
    own = annotator.assignments.values("batch")
    pools = Assignment.objects.in_pool().values("batch")
    started = Batch.objects.started()
    if not annotator.has_role(Role.EVALUATOR):
        return started.filter(pk__in=own)
    return started.filter(Q(pk__in=own) | Q(is_practice=True) | Q(pk__in=pools))


def batches_of(annotator: Annotator) -> list[OwnBatch]:
    """What the annotator can label now, with their own progress. 2 queries."""
    batches = list(labellable_batches(annotator).open().order_by("-is_practice", "started_at", "pk"))
    progress = own_progress(annotator, batches)
    return [OwnBatch(batch, progress[batch.pk]) for batch in batches]


def open_batches() -> list[BatchProgress]:
    """Every open batch, counting all its assignments. 1 query."""
    batches: Iterable[Any] = Batch.objects.open().annotate(**COUNTS).order_by("started_at", "pk")
    return [BatchProgress(b, b.done, b.total) for b in batches]


def assignments_of(annotator: Annotator, batch: Batch) -> QuerySet[Assignment]:
    """The annotator's assignments in a batch, in drawn order. 1 query when read."""
    own = batch.assignments.filter(annotator=annotator).select_related("profile")
    return own.order_by("position", "slot")
