"""Move assignments of a batch: to other annotators, back to the pool, or to somebody else after a skip."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.http import HttpRequest
from django.utils import timezone

from annotator.batches.changes import lock_assignments, lock_batch, require_open, save_change
from annotator.batches.drafts import require_evaluators
from annotator.batches.drawing.plan import relabels
from annotator.batches.drawing.shares import Share, shares_as_json, shares_from_json
from annotator.batches.lifecycle import withdraw_held
from annotator.batches.refusals import AlreadyAssigned, NotAPool, SelfTakeover, SkipHandled
from annotator.core.audit import record
from annotator.models import Annotator, Assignment, AuditEntry, Batch


@dataclass(frozen=True, slots=True)
class Reassignment:
    """How many assignments moved, and how many stayed because every taker already has the profile."""

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
) -> Reassignment:
    """Move somebody's unfinished assignments to others, least busy first, or to the pool if nobody is named.

    An assignment that they hold is withdrawn with its drafts kept, and the taker gets a new one: labelling is blind, so
    nobody continues from another person's answers.
    """
    if person in to:
        raise SelfTakeover(f"Profiles of {person} can’t go to the same person. Nothing was changed. Choose others.")
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        require_open(locked)
        require_evaluators([taker.pk for taker in to])
        unfinished = locked.assignments.unfinished().filter(annotator=person)
        lock_assignments(unfinished)
        result = _move(locked, list(unfinished.in_order()), to)
        _replace_in_people(locked, person, to)
        save_change(locked, "people", by=by, request=request, left=person.pk)
        _record_move(locked, result.moved, by=by, request=request, subject=person, to=[taker.pk for taker in to])
    return result


def hand_out_again(
    assignment: Assignment,
    to: Annotator | None = None,
    *,
    based_on: int | None = None,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> Assignment:
    """Give a skipped profile to somebody else, or to the pool. The skip is kept and marked as handled."""
    with transaction.atomic():
        locked = lock_batch(assignment.batch, based_on)
        require_open(locked)
        lock_assignments(locked.assignments.filter(pk=assignment.pk))
        skipped = _unhandled_skip(assignment)
        require_evaluators([to.pk] if to else [])
        if to and Assignment.objects.filter(_conflicting(locked), profile=skipped.profile_id, annotator=to).exists():
            raise AlreadyAssigned(f"{to} has already had this profile. Nothing was changed. Choose someone else.")
        copy = _copy_for(skipped, to.pk if to else None)
        copy.save(force_insert=True)
        skipped.handled_at = timezone.now()
        skipped.save(update_fields=["handled_at"])
        _record_move(locked, 1, by=by, request=request, subject=to, skipped=skipped.pk)
    return copy


def release_prepared(
    batch: Batch, *, based_on: int | None = None, by: Annotator | None = None, request: HttpRequest | None = None
) -> int:
    """Return assignments that were prepared for people but never opened to the pool. Return how many."""
    with transaction.atomic():
        locked = lock_batch(batch, based_on)
        require_open(locked)
        if locked.people:
            raise NotAPool(f"“{locked.name}” is not a shared pool. Reassign a person's profiles to others instead.")
        prepared = locked.assignments.unclaimed().filter(annotator__isnull=False)
        lock_assignments(prepared)
        count = prepared.update(annotator=None)
        _record_move(locked, count, by=by, request=request, taken_back=True)
    return count


def _move(batch: Batch, assignments: Sequence[Assignment], to: Sequence[Annotator]) -> Reassignment:
    """Move the assignments, with one UPDATE per taker however many there are."""
    takers = _Takers(batch, assignments, to)
    unclaimed: dict[int | None, list[int]] = defaultdict(list)
    held: list[tuple[Assignment, int | None]] = []
    for assignment in assignments:
        taker = takers.next_for(assignment.profile_id)
        if to and taker is None:
            continue
        if assignment.claimed_at:
            held.append((assignment, taker))
        else:
            unclaimed[taker].append(assignment.pk)
    withdraw_held(batch.assignments.filter(pk__in=[assignment.pk for assignment, _ in held]), is_handed_over=True)
    Assignment.objects.bulk_create(_copy_for(assignment, taker) for assignment, taker in held)
    for taker, ids in unclaimed.items():
        Assignment.objects.filter(pk__in=ids).update(annotator=taker)
    moved = len(held) + sum(map(len, unclaimed.values()))
    return Reassignment(moved, len(assignments) - moved)


class _Takers:
    """Choose the taker with the least to do among those who do not have the profile yet."""

    def __init__(self, batch: Batch, assignments: Iterable[Assignment], to: Sequence[Annotator]) -> None:
        self.people = [taker.pk for taker in to]
        profiles = [assignment.profile_id for assignment in assignments]
        self.people_by_profile: dict[int, set[int | None]] = defaultdict(set)
        conflicts = Assignment.objects.filter(_conflicting(batch), annotator__in=self.people, profile__in=profiles)
        for profile, annotator in conflicts.values_list("profile", "annotator"):
            self.people_by_profile[profile].add(annotator)
        unfinished = batch.assignments.unfinished().filter(annotator__in=self.people)
        self.load = Counter(unfinished.values_list("annotator", flat=True))

    def next_for(self, profile: int) -> int | None:
        free = [person for person in self.people if person not in self.people_by_profile[profile]]
        if not free:
            return None
        taker = min(free, key=lambda person: self.load[person])
        self.people_by_profile[profile].add(taker)
        self.load[taker] += 1
        return taker


def _conflicting(batch: Batch) -> Q:
    """Assignments that bar their annotator from the profile: all of the batch; when relabelling, also all submitted."""
    return Q(batch=batch) | Q(submitted_at__isnull=False) if relabels(batch) else Q(batch=batch)


def _copy_for(assignment: Assignment, annotator: int | None) -> Assignment:
    """A new assignment of the same profile at the same position."""
    siblings = Assignment.objects.filter(batch=assignment.batch_id, profile=assignment.profile_id)
    return Assignment(
        batch_id=assignment.batch_id, profile_id=assignment.profile_id, position=assignment.position,
        is_planted=assignment.is_planted, slot=(siblings.aggregate(last=Max("slot"))["last"] or 0) + 1,
        annotator_id=annotator,
    )  # fmt: skip


def _unhandled_skip(assignment: Assignment) -> Assignment:
    skipped = Assignment.objects.unhandled().filter(pk=assignment.pk).first()
    if skipped is None:
        raise SkipHandled("This skip has already been handled. Nothing was changed.")
    return skipped


def _replace_in_people(batch: Batch, person: Annotator, to: Sequence[Annotator]) -> None:
    """Give the takers the person's place, so that they get a share when the batch is extended. A pool stays a pool."""
    if not batch.people:
        return
    staying = [share for share in shares_from_json(batch.people) if share.person != person.pk]
    known = {share.person for share in staying}
    batch.people = shares_as_json([*staying, *(Share(taker.pk) for taker in to if taker.pk not in known)])


def _record_move(
    batch: Batch,
    count: int,
    *,
    by: Annotator | None,
    request: HttpRequest | None,
    subject: Annotator | None = None,
    **details: Any,
) -> None:
    action = AuditEntry.Action.SLOTS_MOVED
    record(action, request=request, actor=by, subject=subject, batch=batch.pk, slots=count, **details)
