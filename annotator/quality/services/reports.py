"""Mark skipped and flagged profiles as handled."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.models import Annotator, Assignment, AuditEntry, Flag


def handle_skip(skipped: Assignment, *, by: Annotator, request: HttpRequest | None = None) -> bool:
    """Mark a skip as handled. Return False if somebody else was first."""
    with transaction.atomic():
        unhandled = Assignment.objects.unhandled().filter(pk=skipped.pk)
        is_first = unhandled.update(handled_at=timezone.now()) == 1
        if is_first:
            _record(skipped, by, request, {"skip_handled": skipped.pk})
    return is_first


def handle_flag(flag: Flag, *, by: Annotator, request: HttpRequest | None = None) -> bool:
    """Mark a flag as handled. Return False if somebody else was first."""
    with transaction.atomic():
        is_first = Flag.objects.filter(pk=flag.pk, handled_at=None).update(handled_at=timezone.now()) == 1
        if is_first:
            _record(flag.assignment, by, request, {"flag_handled": flag.pk})
    return is_first


def _record(assignment: Assignment, by: Annotator, request: HttpRequest | None, handled: dict[str, Any]) -> None:
    record(AuditEntry.Action.BATCH_CHANGED, request=request, actor=by, batch=assignment.batch_id, **handled)
