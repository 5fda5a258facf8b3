"""What an admin does with a batch: start, pause, go on, extend, close, and say when it is due."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Max, Q
from django.http import HttpRequest
from django.utils import timezone

from annotator.batches.changes import (
    BatchRefused,
    keep_change,
    lock_batch,
    lock_slots,
    refuse_closed,
    refuse_unstarted,
)
from annotator.batches.drafts import lay_out
from annotator.batches.drawing.candidates import Ground
from annotator.batches.drawing.draw import as_recipe, draw, wish_of
from annotator.batches.drawing.people import active_evaluators
from annotator.batches.drawing.plan import shares_of
from annotator.batches.drawing.shares import Share
from annotator.detection.priorities import prefer
from annotator.models import Annotator, Batch, SkipReason
from annotator.quality.services.planted_profiles import PlantingRefused, plant

IN_HAND = Q(claimed_at__isnull=False, submitted_at=None, skipped_at=None) | Q(reopened_at__isnull=False)


@dataclass(frozen=True, slots=True)
class InHand:
    """What people have open in a batch that is to be closed."""

    people: int
    profiles: int
    with_answers: int

    @property
    def in_words(self) -> str:
        who = "1 person has" if self.people == 1 else f"{self.people} people have"
        what = "1 profile" if self.profiles == 1 else f"{self.profiles} profiles"
        return f"{who} {what} open, {self.with_answers or 'none'} of them with answers that are not submitted"


class DraftsOpen(BatchRefused):
    """Somebody is at work on it, and nobody confirmed that their work may be taken back."""

    def __init__(self, in_hand: InHand) -> None:
        super().__init__(f"{in_hand.in_words}. Nothing was closed. Wait for them, or take the profiles back.")
        self.in_hand = in_hand


def start(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> Batch:
    """Freeze it and hand it out. Known profiles are planted now, and what Presidio has not read of it comes first."""
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        refuse_closed(locked)
        if locked.started_at:
            raise BatchRefused(f"“{locked.name}” has been started already.")
        locked.started_at = timezone.now()
        keep_change(locked, "started_at", by=by, request=request, started=True)
        prefer(locked)
        _plant(locked, by, request)
    return locked


def _plant(batch: Batch, by: Annotator | None, request: HttpRequest | None) -> None:
    count = batch.draw.get("planted", 0)
    if not count:
        return
    try:
        plant(batch, count=count, seed=batch.draw["seed"], by=by, request=request)
    except PlantingRefused as refusal:
        raise BatchRefused(f"{refusal} “{batch.name}” was not started.") from refusal


def pause(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> Batch:
    """Nobody gets another profile. What somebody holds they may finish."""
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        refuse_unstarted(locked)
        if not locked.paused_at:
            locked.paused_at = timezone.now()
            keep_change(locked, "paused_at", by=by, request=request, paused=True)
    return locked


def resume(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> Batch:
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        refuse_unstarted(locked)
        if locked.paused_at:
            locked.paused_at = None
            keep_change(locked, "paused_at", by=by, request=request, paused=False)
    return locked


def close(
    batch: Batch,
    *,
    withdraw: bool = False,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Batch:
    """Nothing can be labelled any more. Asks first where people have profiles open; `withdraw` takes them back.

    What stood on their cards is kept. What had been submitted and was reopened stands as it was submitted.
    """
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        refuse_unstarted(locked)
        lock_slots(locked.assignments.none())
        open_now = in_hand(locked)
        if open_now.profiles and not withdraw:
            raise DraftsOpen(open_now)
        withdraw_held(locked.assignments.all())
        locked.assignments.filter(reopened_at__isnull=False).update(reopened_at=None)
        locked.closed_at = timezone.now()
        keep_change(locked, "closed_at", by=by, request=request, closed=True, withdrawn=open_now.profiles)
    return locked


def in_hand(batch: Batch) -> InHand:
    """Who has something of the batch open. 1 query."""
    counts: Mapping[str, int] = batch.assignments.filter(IN_HAND).aggregate(
        people=Count("annotator", distinct=True),
        profiles=Count("pk", distinct=True),
        with_answers=Count("pk", distinct=True, filter=Q(drafts__isnull=False)),
    )
    return InHand(**counts)


def withdraw_held(slots: Any) -> int:
    """Take back what is held, as a skip that no evaluator chose. Drafts stay where they are."""
    held = slots.filter(claimed_at__isnull=False, submitted_at=None, skipped_at=None)
    now = timezone.now()
    return int(held.update(skipped_at=now, skip_reason=SkipReason.WITHDRAWN, handled_at=now))


def rename(
    batch: Batch,
    *,
    name: str,
    due_at: datetime | None,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Batch:
    """What may change at any time: the name, and when it is due."""
    try:
        with transaction.atomic():
            locked = lock_batch(batch, based_on)
            if (locked.name, locked.due_at) != (name, due_at):
                locked.name, locked.due_at = name, due_at
                due = due_at.isoformat() if due_at else None
                keep_change(locked, "name", "due_at", by=by, request=request, due_at=due)
    except IntegrityError as error:
        raise BatchRefused(f"There is a batch called “{name}” already. Nothing was changed.") from error
    return locked


def extend(
    batch: Batch,
    size: int,
    *,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Batch:
    """So many further profiles by the same criteria and weights, with the next seed, after those that are there.

    They are shared out alike among the people of the batch; their quotas were about the first draw.
    """
    wish = wish_of(batch.draw) if "seed" in batch.draw else None
    if wish is None:
        raise BatchRefused(f"“{batch.name}” was not drawn at random and cannot be extended. Nothing was changed.")
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        refuse_unstarted(locked)
        wish = replace(wish, size=size, seed=wish.seed + len(locked.extensions) + 1)
        drawn = draw(_ground(locked), wish, without=locked.assignments.values("profile"))
        last = locked.assignments.aggregate(last=Max("position"))["last"]
        lay_out(locked, drawn.profiles, _people(locked), position=0 if last is None else last + 1)
        locked.extensions = [*locked.extensions, as_recipe(wish, drawn, drawn_at=timezone.now().isoformat())]
        keep_change(locked, "extensions", by=by, request=request, extended=size, seed=wish.seed)
        prefer(locked)
    return locked


def _ground(batch: Batch) -> Ground:
    return Ground(batch.corpus, batch.recipe, batch.pk)


def _people(batch: Batch) -> list[Share]:
    """Those of the batch who can still label."""
    named = [share.person for share in shares_of(batch)]
    active = set(active_evaluators().filter(pk__in=named).values_list("pk", flat=True))
    if named and not active:
        raise BatchRefused(f"Nobody of “{batch.name}” can label any more. Hand their profiles to others first.")
    return [Share(person) for person in named if person in active]
