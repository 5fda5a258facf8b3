"""What all changes to a batch share: lock it, refuse outdated versions, record the change."""

from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest

from annotator.batches.refusals import BatchClosed, NotStarted, OutdatedVersion
from annotator.core.audit import record
from annotator.models import Annotator, Assignment, AuditEntry, Batch
from profiles.models import Profile


def lock_batch(batch: Batch, based_on: int | None) -> Batch:
    """Lock the row and return it as it is now. `based_on` is the version that the person saw; None for scripts."""
    locked = Batch.objects.select_for_update(no_key=True, of=("self",)).select_related("corpus").get(pk=batch.pk)
    if based_on is not None and locked.version != based_on:
        raise OutdatedVersion(
            f"Someone changed “{locked.name}” after you opened this page, so your change was not saved. "
            "Check the batch as it is now, then make your change again."
        )
    return locked


def save_change(batch: Batch, *fields: str, by: Annotator | None, request: HttpRequest | None, **details: Any) -> None:
    """Save the fields of a locked batch, bump its version, and record the change."""
    batch.version += 1
    batch.save(update_fields=[*fields, "version"])
    record(AuditEntry.Action.BATCH_CHANGED, request=request, actor=by, batch=batch.pk, **details)


def require_unclosed(batch: Batch) -> None:
    if batch.closed_at:
        raise BatchClosed(f"“{batch.name}” is closed. Nothing was changed.")


def require_open(batch: Batch) -> None:
    require_unclosed(batch)
    if not batch.started_at:
        raise NotStarted(f"“{batch.name}” has not been started. Nothing was changed.")


def lock_assignments(assignments: QuerySet[Assignment]) -> None:
    """Block takedowns of the profiles, and make everybody who claims or submits wait.

    Claiming skips locked rows and would find nothing; a lock on the whole table makes it wait instead. Profiles are
    locked first, as everywhere else that needs both locks.
    """
    profiles = Profile.objects.filter(pk__in=assignments.values("profile"))
    list(profiles.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk", flat=True))
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {connection.ops.quote_name(Assignment._meta.db_table)} IN EXCLUSIVE MODE")
