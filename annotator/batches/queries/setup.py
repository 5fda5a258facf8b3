"""Batches for admins: the list, and the setup of one batch."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page
from django.db.models import Count, Max, Q
from django.db.models.functions import Lower
from django.utils import timezone

from annotator.batches.drawing.plan import Criteria
from annotator.batches.drawing.shares import shares_from_json
from annotator.batches.queries.progress import COUNTS, IS_COUNTED, IS_DONE, IS_HELD
from annotator.charts.meter import Meter, meter
from annotator.core.formatting import number
from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from annotator.models import Annotator, Assignment, Batch, Role
from annotator.models.batches import HANDED_OVER, STAGE, UNFINISHED

MAX_SKIPS = 50  # the oldest unhandled ones


@dataclass(frozen=True, slots=True)
class BatchState:
    label: str
    badge: str = ""


def state_of(batch: Batch) -> BatchState:
    if batch.closed_at:
        return BatchState("closed")
    if not batch.started_at:
        return BatchState("draft", "accent")
    return BatchState("paused", "warn") if batch.paused_at else BatchState("open", "good")


@dataclass(frozen=True, slots=True)
class BatchRow:
    batch: Batch
    state: BatchState
    done: int
    total: int

    @property
    def meter(self) -> Meter:
        return meter(self.done, self.total)

    @property
    def is_late(self) -> bool:
        due = self.batch.due_at
        return due is not None and self.batch.closed_at is None and self.done < self.total and due < timezone.now()


BATCH_COLUMNS = {
    "name": "lower_name",
    "state": "stage -created_at",
    "corpus": "corpus__name -created_at",
    "done": "-done -created_at",
    "overlap": "-overlap -created_at",
    "due": "due_at",
}


def batches_page(sorting: Sorting, page_number: str) -> "Page[BatchRow]":
    """One page of batches with their progress. 2 queries."""
    batches = Batch.objects.select_related("corpus").annotate(**COUNTS, stage=STAGE, lower_name=Lower("name"))
    return page_of(batches.order_by(*sorting.order), page_number, _batch_row)


def _batch_row(batch: Any) -> BatchRow:
    return BatchRow(batch, state_of(batch), batch.done, batch.total)


@dataclass(frozen=True, slots=True)
class BatchAnnotator:
    """One annotator in a batch. `waiting` assignments can go to others."""

    annotator: Annotator
    quota: int | None
    assigned: int
    done: int
    waiting: int
    is_holding: bool

    @property
    def has_left(self) -> bool:
        return not self.annotator.is_active or not self.annotator.has_role(Role.EVALUATOR)


@dataclass(frozen=True, slots=True)
class Setup:
    """How a batch was drawn, who labels it, and what needs an admin."""

    batch: Batch
    state: BatchState
    profiles: int
    assignments: int
    pool: int
    prepared: int
    annotators: list[BatchAnnotator]
    skipped: list[Assignment]

    @property
    def is_draft(self) -> bool:
        return self.batch.started_at is None and self.batch.closed_at is None

    @property
    def is_open(self) -> bool:
        return self.batch.started_at is not None and self.batch.closed_at is None

    @property
    def can_be_reopened(self) -> bool:
        return self.batch.closed_at is not None and not self.batch.is_imported

    @property
    def can_be_reassigned(self) -> bool:
        return not self.batch.is_practice and any(row.waiting for row in self.annotators)

    @property
    def can_be_extended(self) -> bool:
        return "seed" in self.batch.draw

    @property
    def can_take_back(self) -> bool:
        """Whether a pool has assignments that were prepared for people and never opened."""
        return self.is_open and not self.batch.people and not self.batch.is_practice and self.prepared > 0

    @property
    def leavers(self) -> list[BatchAnnotator]:
        return [row for row in self.annotators if row.has_left and row.waiting]

    @property
    def facts(self) -> list[tuple[str, str]]:
        return _facts(self.batch)


def setup_of(batch: Batch) -> Setup:
    """3 queries, however many assignments and people there are."""
    counts = batch.assignments.aggregate(
        profiles=Count("profile", distinct=True),
        assignments=Count("pk", filter=~HANDED_OVER),
        pool=Count("pk", filter=UNFINISHED & Q(annotator=None)),
        prepared=Count("pk", filter=Q(claimed_at=None, annotator__isnull=False)),
    )
    return Setup(batch, state_of(batch), **counts, annotators=_annotators(batch), skipped=_unhandled_skips(batch))


def _annotators(batch: Batch) -> list[BatchAnnotator]:
    """Everybody who is named in the batch or has an assignment. 1 query."""
    quotas = {share.person: share.quota for share in shares_from_json(batch.people)}
    in_batch = Q(assignments__batch=batch)
    people: Iterable[Any] = (
        Annotator.objects.filter(Q(pk__in=quotas) | in_batch)
        .annotate(
            assigned=Count("assignments", filter=in_batch & IS_COUNTED),
            done=Count("assignments", filter=in_batch & IS_DONE),
            held=Max("assignments", filter=in_batch & IS_HELD),
        )
        .order_by("display_name", "pk")
    )
    return [
        BatchAnnotator(p, quotas.get(p.pk), p.assigned, p.done, p.assigned - p.done, p.held is not None) for p in people
    ]


def _unhandled_skips(batch: Batch) -> list[Assignment]:
    """Oldest first. 1 query."""
    skipped = batch.assignments.unhandled()
    return list(skipped.select_related("annotator", "profile").order_by("skipped_at", "pk")[:MAX_SKIPS])


def _facts(batch: Batch) -> list[tuple[str, str]]:
    """How the batch was drawn, in words. No query if corpus, guideline and recipe are loaded."""
    if batch.is_practice:
        return [("Practice", f"{len(batch.draw.get('profiles', ()))} profiles for every evaluator")]
    draw = batch.draw
    criteria = Criteria.from_json(draw.get("criteria") or {}).in_words()
    return [
        ("Corpus", batch.corpus.name),
        ("Drawn", f"{number(draw.get('size', 0))} profiles with seed {draw.get('seed')}{_of_eligible(draw)}"),
        ("Criteria", "; ".join(criteria) or "none (whole corpus)"),
        *([("Preferred", _weights_in_words(draw["weights"]))] if draw.get("weights") else []),
        *[("Extended", f"by {number(more['size'])} with seed {more['seed']}") for more in batch.extensions],
        ("Evaluators per profile", str(batch.overlap)),
        ("Guidelines", _guidelines_in_words(batch)),
        ("Presidio", batch.recipe.name if batch.recipe else "no recipe"),
        ("Hints", "shown" if batch.hints_shown else "hidden"),
        *([("Known profiles", _planted_in_words(batch))] if draw.get("planted") else []),
    ]


def _guidelines_in_words(batch: Batch) -> str:
    if batch.guideline:
        return f"version {batch.guideline.number}"
    version = batch.draw.get("guideline")
    return f"version {version} of another study" if version else "of another study"


def _planted_in_words(batch: Batch) -> str:
    return f"{batch.draw['planted']} planted" if batch.started_at else f"{batch.draw['planted']} planted when it starts"


def _of_eligible(draw: dict[str, Any]) -> str:
    return f", out of {number(draw['eligible'])} that matched" if "eligible" in draw else ""


def _weights_in_words(weights: dict[str, Any]) -> str:
    attributes = [f"{attribute.replace('_', ' ')} {weight:g}" for attribute, weight in weights["attributes"].items()]
    return f"profiles likely to fill unmet targets ({', '.join(attributes)}; formula {weights['formula']})"
