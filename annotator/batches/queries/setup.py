"""Batches as admins see them: all of them, and how one is set up."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q
from django.utils import timezone

from annotator.batches.drawing.criteria import Criteria
from annotator.batches.drawing.plan import shares_of
from annotator.batches.queries.progress import COUNTS, HELD
from annotator.charts.meter import Meter, meter
from annotator.core.formatting import number
from annotator.models import Annotator, Assignment, Batch, Role

MOST = 50  # skips that wait for an admin: the oldest


@dataclass(frozen=True, slots=True)
class BatchState:
    label: str
    badge: str = ""


def state_of(batch: Batch) -> BatchState:
    if batch.closed_at:
        return BatchState("closed")
    if not batch.started_at:
        return BatchState("draft", "accent")
    return BatchState("paused", "warn") if batch.paused_at else BatchState("running", "good")


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


def all_batches() -> list[BatchRow]:
    """Drafts first, then what runs, then what is closed; the newest first in each. 1 query."""
    counted: Iterable[Any] = Batch.objects.select_related("corpus").annotate(**COUNTS).order_by("-created_at", "-pk")
    rows = [BatchRow(batch, state_of(batch), batch.done, batch.total) for batch in counted]
    return sorted(rows, key=lambda row: (row.batch.closed_at is not None, row.batch.started_at is not None))


@dataclass(frozen=True, slots=True)
class Reader:
    """One person in a batch; with `waiting` slots that could go to others."""

    annotator: Annotator
    quota: int | None
    given: int
    done: int
    waiting: int
    is_holding: bool

    @property
    def has_left(self) -> bool:
        return not self.annotator.is_active or not self.annotator.has_role(Role.EVALUATOR)


@dataclass(frozen=True, slots=True)
class Setup:
    """How a batch is set up, in words and numbers."""

    batch: Batch
    state: BatchState
    profiles: int
    slots: int
    pool: int
    got_ready: int
    readers: list[Reader]
    skipped: list[Assignment]

    @property
    def is_draft(self) -> bool:
        return self.batch.started_at is None and self.batch.closed_at is None

    @property
    def is_open(self) -> bool:
        return self.batch.started_at is not None and self.batch.closed_at is None

    @property
    def can_be_relieved(self) -> bool:
        return not self.batch.is_practice and any(reader.waiting for reader in self.readers)

    @property
    def can_be_extended(self) -> bool:
        return "seed" in self.batch.draw

    @property
    def can_take_back(self) -> bool:
        """In a pool, what pages got ready and nobody opened."""
        return self.is_open and not self.batch.people and not self.batch.is_practice and self.got_ready > 0

    @property
    def has_leavers(self) -> list[Reader]:
        return [reader for reader in self.readers if reader.has_left and reader.waiting]

    @property
    def facts(self) -> list[tuple[str, str]]:
        return recipe_in_words(self.batch)


def setup_of(batch: Batch) -> Setup:
    """3 queries, however many slots and people there are."""
    open_now = Q(submitted_at=None, skipped_at=None)
    counts = batch.assignments.aggregate(
        profiles=Count("profile", distinct=True),
        slots=Count("pk"),
        pool=Count("pk", filter=open_now & Q(annotator=None)),
        got_ready=Count("pk", filter=Q(claimed_at=None, annotator__isnull=False)),
    )
    return Setup(batch, state_of(batch), **counts, readers=_readers(batch), skipped=_skipped(batch))


def _readers(batch: Batch) -> list[Reader]:
    """Everybody named, and everybody who has a slot. 1 query."""
    quotas = {share.person: share.quota for share in shares_of(batch)}
    theirs = Q(assignments__batch=batch)
    done = Q(assignments__submitted_at__isnull=False) | Q(assignments__skipped_at__isnull=False)
    people: Iterable[Any] = (
        Annotator.objects.filter(Q(pk__in=quotas) | theirs)
        .annotate(
            given=Count("assignments", filter=theirs),
            done=Count("assignments", filter=theirs & done),
            held=Max("assignments", filter=theirs & HELD),
        )
        .order_by("display_name", "pk")
    )
    return [
        Reader(one, quotas.get(one.pk), one.given, one.done, one.given - one.done, one.held is not None)
        for one in people
    ]


def _skipped(batch: Batch) -> list[Assignment]:
    """What nobody dealt with yet, the oldest first. 1 query."""
    waiting = batch.assignments.filter(skipped_at__isnull=False, handled_at=None)
    return list(waiting.select_related("annotator", "profile").order_by("skipped_at", "pk")[:MOST])


def recipe_in_words(batch: Batch) -> list[tuple[str, str]]:
    """The recipe of a batch for people to read. No query where corpus, guideline and recipe came along."""
    if batch.is_practice:
        return [("Practice", f"{len(batch.draw.get('profiles', ()))} profiles that every evaluator reads")]
    kept = batch.draw
    told = Criteria.from_json(kept.get("criteria") or {}).in_words()
    return [
        ("Corpus", batch.corpus.name),
        ("Drawn", f"{number(kept.get('size', 0))} profiles with the seed {kept.get('seed')}{_of_how_many(kept)}"),
        ("Criteria", "; ".join(told) or "none: the whole corpus"),
        *([("Preferred", _weights_in_words(kept["weights"]))] if kept.get("weights") else []),
        *[("Extended", f"by {number(one['size'])} with the seed {one['seed']}") for one in batch.extensions],
        ("Readers of each profile", str(batch.overlap)),
        ("Guidelines", f"version {batch.guideline.number}"),
        ("Presidio", batch.recipe.name if batch.recipe else "no recipe"),
        ("Hints", "shown" if batch.hints_shown else "hidden"),
        *([("Known profiles", _planted_in_words(batch))] if kept.get("planted") else []),
    ]


def _planted_in_words(batch: Batch) -> str:
    return f"{batch.draw['planted']} planted" if batch.started_at else f"{batch.draw['planted']} planted when it starts"


def _of_how_many(kept: dict[str, Any]) -> str:
    return f", of {number(kept['eligible'])} that fitted" if "eligible" in kept else ""


def _weights_in_words(weights: dict[str, Any]) -> str:
    told = [f"{attribute.replace('_', ' ')} {weight:g}" for attribute, weight in weights["attributes"].items()]
    return f"profiles that promise what is thin ({', '.join(told)}; formula {weights['formula']})"
