"""Plant profiles with known answers in a real batch to measure how well it is labelled.

Only admins may recognize them. The id in a page's address would give them away, because rows added late have high ids.
So the unclaimed assignments are recreated together with the planted ones, in order.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count as count_from

from django.db import connection, transaction
from django.db.models import Max, Q
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.detection.priorities import prefer
from annotator.models import Annotator, Assignment, AuditEntry, Batch, KnownAnswer
from profiles.models import Profile

Queues = dict[int | None, list[Assignment]]

IS_PRACTICE = "All answers of a practice batch are known anyway. Nothing was planted."
IS_CLOSED = "“{name}” is closed. Nothing was planted."
NOT_STARTED = "“{name}” has not been started. Nothing was planted."
NOTHING_UNCLAIMED = "Every profile in this batch has already been handed out. Nothing was planted."
TOO_FEW_KNOWN = (
    "{available} profiles with known answers are neither in this batch nor practised, fewer than the {count} "
    "asked for. Nothing was planted."
)


class PlantingRefused(Exception):
    """Nothing was planted. The message says why."""


class TooFewKnown(PlantingRefused):
    """Fewer profiles with known answers are available than were requested."""


def plant(
    batch: Batch, *, count: int, seed: int, by: Annotator | None = None, request: HttpRequest | None = None
) -> int:
    """Plant `count` profiles at positions chosen by the seed, and return the number of new assignments.

    Everybody with unclaimed assignments gets every planted profile; a shared pool gets each as often as the overlap.
    What somebody holds, and what their page may have prefetched as the next profile, stays unchanged.
    """
    rng = random.Random(seed)  # noqa: S311 repeatable on purpose
    with transaction.atomic():
        locked = _lock(batch)
        queues = _unclaimed_queues(locked)
        planted = list(_plan(locked, _draw(locked, count, rng), queues, rng))
        _recreate(queues, planted)
        prefer(locked)
        record(
            AuditEntry.Action.BATCH_CHANGED, request=request, actor=by, batch=locked.pk, planted=count,
            slots=len(planted), seed=seed,
        )  # fmt: skip
    return len(planted)


def _lock(batch: Batch) -> Batch:
    """Lock the batch, then its profiles, then the table, to keep out other plantings, takedowns and claims.

    Claiming skips locked rows, so it would find nothing left. A lock on the whole table makes it wait instead.
    """
    locked = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    _refuse_batch(locked)
    unclaimed, known = locked.assignments.unclaimed().values("profile"), KnownAnswer.objects.values("profile")
    profiles = Profile.objects.filter(Q(pk__in=unclaimed) | Q(pk__in=known), corpus=locked.corpus_id)
    list(profiles.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk", flat=True))
    table = connection.ops.quote_name(Assignment._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
    return locked


def _refuse_batch(batch: Batch) -> None:
    if batch.is_practice:
        raise PlantingRefused(IS_PRACTICE)
    if batch.closed_at:
        raise PlantingRefused(IS_CLOSED.format(name=batch.name))
    if not batch.started_at:
        raise PlantingRefused(NOT_STARTED.format(name=batch.name))


def _unclaimed_queues(batch: Batch) -> Queues:
    """Unclaimed assignments in order: the shared pool if there is one, otherwise each person's own."""
    queues: Queues = defaultdict(list)
    for assignment in batch.assignments.unclaimed().in_order():
        queues[assignment.annotator_id].append(assignment)
    if not queues:
        raise PlantingRefused(NOTHING_UNCLAIMED)
    return {None: queues[None]} if None in queues else queues


def _draw(batch: Batch, count: int, rng: random.Random) -> list[int]:
    """A sample of the corpus's known profiles that are neither in the batch nor in any practice batch."""
    practised = Batch.objects.filter(is_practice=True, corpus=batch.corpus_id).values_list("draw", flat=True)
    known = (
        Profile.objects.filter(corpus=batch.corpus_id, known_answers__isnull=False)
        .exclude(pk__in=batch.assignments.values("profile"))
        .exclude(pk__in={profile for draw in practised for profile in draw.get("profiles", [])})
    )
    free = list(known.distinct().order_by("account_digest", "spelling").values_list("pk", flat=True))
    if count > len(free):
        raise TooFewKnown(TOO_FEW_KNOWN.format(available=len(free), count=count))
    return rng.sample(free, count)


def _plan(batch: Batch, drawn: Sequence[int], queues: Queues, rng: random.Random) -> Iterator[Assignment]:
    """Put each profile right after an unclaimed assignment: at the same position, with a slot above all others."""
    slots = count_from((batch.assignments.aggregate(last=Max("slot"))["last"] or 0) + 1)
    for profile in drawn:
        for annotator, queue in queues.items():
            position = rng.choice(queue).position
            for _ in range(1 if annotator else batch.overlap):
                yield Assignment(
                    batch=batch,
                    profile_id=profile,
                    slot=next(slots),
                    position=position,
                    annotator_id=annotator,
                    is_planted=True,
                )


def _recreate(queues: Queues, planted: Sequence[Assignment]) -> None:
    """Reinsert the unclaimed assignments together with the planted ones, so that ids reveal nothing.

    Keep everybody's next assignment, and rows that other rows refer to.
    """
    movable = [row for annotator, queue in queues.items() for row in (queue[1:] if annotator else queue)]
    rows = Assignment.objects.filter(
        pk__in=[row.pk for row in movable], drafts=None, judgements=None, sittings=None, look_ups=None, flags=None
    )
    moved = list(rows)
    Assignment.objects.filter(pk__in=[row.pk for row in moved]).delete()
    for row in moved:
        row.pk = None
        row._state.adding = True
    in_order = sorted([*moved, *planted], key=lambda row: (row.position, row.slot))
    Assignment.objects.bulk_create(in_order, batch_size=1000)
