"""What every change of a batch has in common: one at a time, and none by somebody who has not seen the last."""

from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest

from annotator.batches.drawing.people import active_evaluators
from annotator.core.audit import record
from annotator.models import Annotator, Assignment, AuditEntry, Batch
from profiles.models import Profile

Action = AuditEntry.Action


class BatchRefused(Exception):
    """Nothing was changed. Says why, to a person."""


class ChangedMeanwhile(BatchRefused):
    """Another admin was first."""


def lock_batch(batch: Batch, based_on: int | None) -> Batch:
    """The row as it is now. `based_on` is the version that the person saw; None for scripts, which saw none."""
    locked = Batch.objects.select_for_update(no_key=True, of=("self",)).select_related("corpus").get(pk=batch.pk)
    if based_on is not None and locked.version != based_on:
        raise ChangedMeanwhile(
            f"Somebody changed “{locked.name}” after you opened this page. Nothing of yours was saved, so that nothing "
            "of theirs is lost. Look at it as it is now, and change it again."
        )
    return locked


def keep_change(batch: Batch, *changed: str, by: Annotator | None, request: HttpRequest | None, **details: Any) -> None:
    """Write the named fields of a locked batch, count the change, and leave a trace."""
    batch.version += 1
    batch.save(update_fields=[*changed, "version"])
    record(Action.BATCH_CHANGED, request=request, actor=by, batch=batch.pk, **details)


def refuse_closed(batch: Batch) -> None:
    if batch.closed_at:
        raise BatchRefused(f"“{batch.name}” is closed. Nothing was changed.")


def refuse_unstarted(batch: Batch) -> None:
    refuse_closed(batch)
    if not batch.started_at:
        raise BatchRefused(f"“{batch.name}” has not been started. Nothing was changed.")


def lock_slots(slots: QuerySet[Assignment]) -> None:
    """No profile of these slots is forgotten meanwhile, and whoever claims or submits waits.

    Claiming skips rows that are locked and would find nothing left; a lock on the whole table makes it wait instead.
    The profiles come first, as in every other place that needs both.
    """
    profiles = Profile.objects.filter(pk__in=slots.values("profile"))
    list(profiles.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk", flat=True))
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {connection.ops.quote_name(Assignment._meta.db_table)} IN EXCLUSIVE MODE")


def tell_postgres_how_many() -> None:
    """Until it knows, it plans the hand-out of a slot for a small table, and reads the whole batch for each."""
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {connection.ops.quote_name(Assignment._meta.db_table)}")


def evaluators_among(ids: Any) -> dict[int, Annotator]:
    """Those that were named; one who cannot label is refused. 1 query."""
    found = {person.pk: person for person in active_evaluators().filter(pk__in=ids)}
    if set(ids) - found.keys():
        raise BatchRefused("Only active evaluators can be given profiles, and somebody named is none. Choose others.")
    return found
