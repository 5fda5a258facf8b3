"""Planting profiles with known answers among those of a real batch, to see how well it is labelled.

Nobody but admins may be able to tell them apart. What a person could tell them by is the number in the address of a
profile's page: rows that are added late have high numbers. So everything that waits is laid out anew, in its order.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count as counting

from django.db import connection, transaction
from django.db.models import Max, Q
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.detection.priorities import prefer
from annotator.models import Annotator, Assignment, AuditEntry, Batch, KnownAnswer
from profiles.models import Profile

Queues = dict[int | None, list[Assignment]]


class PlantingRefused(Exception):
    """Nothing was planted. Says why, to a person."""


class TooFewKnown(PlantingRefused):
    """More profiles were asked for than there are with known answers."""


def plant(
    batch: Batch, *, count: int, seed: int, by: Annotator | None = None, request: HttpRequest | None = None
) -> int:
    """Plant so many profiles, at places that the seed decides, and return how many slots that made.

    Everybody who has something waiting in the batch gets each of them; in a pool, as many as read each profile.
    What somebody holds, and what their page may have got ready as the next, stays as it is.
    """
    chance = random.Random(seed)  # noqa: S311 repeatable on purpose
    with transaction.atomic():
        locked = _lock(batch)
        waiting = _queues(locked)
        planted = list(_planted(locked, _drawn(locked, count, chance), waiting, chance))
        _lay_out_anew(waiting, planted)
        prefer(locked)
        record(
            AuditEntry.Action.BATCH_CHANGED, request=request, actor=by, batch=locked.pk, planted=count,
            slots=len(planted), seed=seed,
        )  # fmt: skip
    return len(planted)


def _lock(batch: Batch) -> Batch:
    """In this order: one planting at a time, no profile forgotten meanwhile, and whoever claims waits.

    Claiming skips rows that are locked, and would find nothing left. A lock on the whole table makes it wait instead.
    """
    locked = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    _refuse(locked)
    waiting, known = locked.assignments.unclaimed().values("profile"), KnownAnswer.objects.values("profile")
    profiles = Profile.objects.filter(Q(pk__in=waiting) | Q(pk__in=known), corpus=locked.corpus_id)
    list(profiles.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk", flat=True))
    table = connection.ops.quote_name(Assignment._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
    return locked


def _refuse(batch: Batch) -> None:
    if batch.is_practice:
        raise PlantingRefused("The answers of a practice batch are known already. Nothing was planted.")
    if batch.closed_at:
        raise PlantingRefused(f"“{batch.name}” is closed. Nothing was planted.")
    if not batch.started_at:
        raise PlantingRefused(f"“{batch.name}” has not been started. Nothing was planted.")


def _queues(batch: Batch) -> Queues:
    """What waits to be claimed, in order: what is anybody's if there is such, otherwise each person's own."""
    waiting: Queues = defaultdict(list)
    for slot in batch.assignments.unclaimed().in_order():
        waiting[slot.annotator_id].append(slot)
    if not waiting:
        raise PlantingRefused("Every profile of this batch was handed out already. Nothing was planted.")
    return {None: waiting[None]} if None in waiting else waiting


def _drawn(batch: Batch, count: int, chance: random.Random) -> list[int]:
    """Of what is known in the corpus: neither in the batch yet, nor ever practised."""
    practised = Batch.objects.filter(is_practice=True, corpus=batch.corpus_id).values_list("draw", flat=True)
    known = (
        Profile.objects.filter(corpus=batch.corpus_id, known_answers__isnull=False)
        .exclude(pk__in=batch.assignments.values("profile"))
        .exclude(pk__in={profile for draw in practised for profile in draw.get("profiles", [])})
    )
    free = list(known.distinct().order_by("account_digest", "spelling").values_list("pk", flat=True))
    if count > len(free):
        raise TooFewKnown(
            f"{len(free)} profiles with known answers are neither in this batch nor practised, fewer than the {count} "
            "asked for. Nothing was planted."
        )
    return chance.sample(free, count)


def _planted(batch: Batch, drawn: Sequence[int], waiting: Queues, chance: random.Random) -> Iterator[Assignment]:
    """Each right after a slot that waits: it shares that one's position, and has a higher slot than any before it."""
    slots = counting((batch.assignments.aggregate(last=Max("slot"))["last"] or 0) + 1)
    for profile in drawn:
        for annotator, queue in waiting.items():
            position = chance.choice(queue).position
            for _ in range(1 if annotator else batch.overlap):
                yield Assignment(
                    batch=batch,
                    profile_id=profile,
                    slot=next(slots),
                    position=position,
                    annotator_id=annotator,
                    is_planted=True,
                )


def _lay_out_anew(waiting: Queues, planted: Sequence[Assignment]) -> None:
    """The numbers of rows tell nothing if all that waits is made at once. Rows with something attached stay."""
    movable = [slot for annotator, queue in waiting.items() for slot in (queue[1:] if annotator else queue)]
    rows = Assignment.objects.filter(
        pk__in=[slot.pk for slot in movable], drafts=None, judgements=None, sittings=None, look_ups=None, flags=None
    )
    moved = list(rows)
    Assignment.objects.filter(pk__in=[slot.pk for slot in moved]).delete()
    for slot in moved:
        slot.pk = None
        slot._state.adding = True
    in_order = sorted([*moved, *planted], key=lambda slot: (slot.position, slot.slot))
    Assignment.objects.bulk_create(in_order, batch_size=1000)
