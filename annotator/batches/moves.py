"""Moving slots of a batch: to somebody else, back to the pool, or once more to another after a skip."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.http import HttpRequest
from django.utils import timezone

from annotator.batches.changes import (
    BatchRefused,
    evaluators_among,
    keep_change,
    lock_batch,
    lock_slots,
    refuse_unstarted,
)
from annotator.batches.drawing.plan import as_people, shares_of
from annotator.batches.drawing.shares import Share
from annotator.batches.lifecycle import withdraw_held
from annotator.core.audit import record
from annotator.models import Annotator, Assignment, AuditEntry, Batch

Action = AuditEntry.Action


class AlreadyHad(BatchRefused):
    """Labelling is blind, and nobody reads a profile twice."""


@dataclass(frozen=True, slots=True)
class Moved:
    """How many slots went to others, and how many could not, because everybody named has the profile already."""

    moved: int
    stayed: int


def reassign(
    batch: Batch,
    person: Annotator,
    to: Sequence[Annotator] = (),
    *,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Moved:
    """What somebody has not begun goes to others in turn, or to the pool when nobody is named.

    What they hold is taken back with its drafts kept, and another slot is made for who comes next: labelling is blind,
    so nobody goes on from another's answers.
    """
    if person in to:
        raise BatchRefused(f"{person} cannot take over from themselves. Nothing was changed. Choose others.")
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        refuse_unstarted(locked)
        evaluators_among([one.pk for one in to])
        lock_slots(locked.assignments.filter(_open_of(person)))
        moved = _move(locked, list(locked.assignments.filter(_open_of(person)).in_order()), to)
        _replace_in_people(locked, person, to)
        keep_change(locked, "people", by=by, request=request, left=person.pk)
        _trace(locked, moved.moved, by=by, request=request, subject=person, to=[one.pk for one in to])
    return moved


def hand_out_again(
    slot: Assignment,
    to: Annotator | None = None,
    *,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Assignment:
    """A skipped profile goes to somebody else, or to the pool. The skip stays as it was, and is dealt with."""
    with transaction.atomic():
        locked = lock_batch(slot.batch, based_on)
        refuse_unstarted(locked)
        lock_slots(locked.assignments.filter(pk=slot.pk))
        skipped = _unhandled(slot)
        evaluators_among([to.pk] if to else [])
        if to and Assignment.objects.filter(_keeps_from(locked), profile=skipped.profile_id, annotator=to).exists():
            raise AlreadyHad(f"{to} has had this profile already. Nothing was changed. Choose somebody else.")
        made = _another(skipped, to.pk if to else None)
        made.save(force_insert=True)
        _handle(skipped)
        _trace(locked, 1, by=by, request=request, subject=to, skipped=skipped.pk)
    return made


def take_back(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> int:
    """In a pool, what pages got ready for people and nobody opened is anybody's again."""
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        refuse_unstarted(locked)
        if locked.people:
            raise BatchRefused(f"“{locked.name}” is no shared pool: hand a person's profiles to others instead.")
        ready = locked.assignments.unclaimed().filter(annotator__isnull=False)
        lock_slots(ready)
        count = ready.update(annotator=None)
        _trace(locked, count, by=by, request=request, taken_back=True)
    return count


def _open_of(person: Annotator) -> Q:
    return Q(annotator=person, submitted_at=None, skipped_at=None)


def _move(batch: Batch, slots: Sequence[Assignment], to: Sequence[Annotator]) -> Moved:
    """One statement for each taker, however many slots there are."""
    takers = _Takers(batch, slots, to)
    waiting: dict[int | None, list[int]] = defaultdict(list)
    held: list[tuple[Assignment, int | None]] = []
    for slot in slots:
        taker = takers.next_for(slot.profile_id)
        if to and taker is None:
            continue
        if slot.claimed_at:
            held.append((slot, taker))
        else:
            waiting[taker].append(slot.pk)
    withdraw_held(batch.assignments.filter(pk__in=[slot.pk for slot, _ in held]))
    Assignment.objects.bulk_create(_another(slot, taker) for slot, taker in held)
    for taker, ids in waiting.items():
        Assignment.objects.filter(pk__in=ids).update(annotator=taker)
    moved = len(held) + sum(map(len, waiting.values()))
    return Moved(moved, len(slots) - moved)


class _Takers:
    """Who is next: of those who do not have the profile yet, whoever has the least to do."""

    def __init__(self, batch: Batch, slots: Iterable[Assignment], to: Sequence[Annotator]) -> None:
        self.people = [one.pk for one in to]
        profiles = [slot.profile_id for slot in slots]
        self.has: dict[int, set[int | None]] = defaultdict(set)
        read = Assignment.objects.filter(_keeps_from(batch), annotator__in=self.people, profile__in=profiles)
        for profile, annotator in read.values_list("profile", "annotator"):
            self.has[profile].add(annotator)
        waiting = batch.assignments.filter(annotator__in=self.people, submitted_at=None, skipped_at=None)
        self.load = Counter(waiting.values_list("annotator", flat=True))

    def next_for(self, profile: int) -> int | None:
        able = [person for person in self.people if person not in self.has[profile]]
        if not able:
            return None
        taker = min(able, key=lambda person: self.load[person])
        self.has[profile].add(taker)
        self.load[taker] += 1
        return taker


def _keeps_from(batch: Batch) -> Q:
    """What makes a profile one that somebody has already: a slot in the batch, or where it is labelled anew, any."""
    relabels = batch.draw.get("criteria", {}).get("relabel")
    return Q(batch=batch) | Q(submitted_at__isnull=False) if relabels else Q(batch=batch)


def _another(slot: Assignment, annotator: int | None) -> Assignment:
    """A slot of its own for the same profile, at the same place."""
    beside = Assignment.objects.filter(batch=slot.batch_id, profile=slot.profile_id)
    return Assignment(
        batch_id=slot.batch_id, profile_id=slot.profile_id, position=slot.position, is_planted=slot.is_planted,
        slot=(beside.aggregate(last=Max("slot"))["last"] or 0) + 1, annotator_id=annotator,
    )  # fmt: skip


def _unhandled(slot: Assignment) -> Assignment:
    found = Assignment.objects.filter(pk=slot.pk, skipped_at__isnull=False, handled_at=None).first()
    if found is None:
        raise BatchRefused("This skip was dealt with already. Nothing was changed.")
    return found


def _handle(slot: Assignment) -> None:
    slot.handled_at = timezone.now()
    slot.save(update_fields=["handled_at"])


def _replace_in_people(batch: Batch, person: Annotator, to: Sequence[Annotator]) -> None:
    """Whoever comes in their place also gets what the batch is extended by. A pool stays one."""
    if not batch.people:
        return
    stay = [share for share in shares_of(batch) if share.person != person.pk]
    there = {share.person for share in stay}
    batch.people = as_people((*stay, *(Share(one.pk) for one in to if one.pk not in there)))


def _trace(
    batch: Batch,
    count: int,
    *,
    by: Annotator | None,
    request: HttpRequest | None,
    subject: Annotator | None = None,
    **details: Any,
) -> None:
    record(Action.SLOTS_MOVED, request=request, actor=by, subject=subject, batch=batch.pk, slots=count, **details)
