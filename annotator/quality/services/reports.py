"""Mark skipped and flagged profiles as handled, and choose what evaluators see of their own quality."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.models import Annotator, Assignment, AuditEntry, Batch, Flag


def handle_skip(skipped: Assignment, *, by: Annotator, request: HttpRequest | None = None) -> bool:
    """Mark a skip as handled. Return False if somebody else was first."""
    with transaction.atomic():
        unhandled = Assignment.objects.unhandled().filter(pk=skipped.pk)
        is_first = unhandled.update(handled_at=timezone.now()) == 1
        if is_first:
            _record(skipped, by, request, {"skip_handled": skipped.pk})
    return is_first


def handle_flag(flag: Flag, *, by: Annotator, reply: str = "", request: HttpRequest | None = None) -> bool:
    """Mark a flag as handled, with a reply to whoever flagged it. Return False if somebody else was first."""
    with transaction.atomic():
        unhandled = Flag.objects.filter(pk=flag.pk, handled_at=None)
        is_first = unhandled.update(handled_at=timezone.now(), reply=reply) == 1
        if is_first:
            _record(flag.assignment, by, request, {"flag_handled": flag.pk})
    return is_first


def show_agreement(batch: Batch, *, shown: bool, by: Annotator, request: HttpRequest | None = None) -> None:
    """Let evaluators see their own agreement on the batch's planted profiles, or not. Repeating changes nothing."""
    with transaction.atomic():
        changed = Batch.objects.filter(pk=batch.pk, agreement_shown=not shown).update(agreement_shown=shown)
        if changed:
            action = AuditEntry.Action.BATCH_CHANGED
            record(action, request=request, actor=by, batch=batch.pk, agreement_shown=shown)


def _record(assignment: Assignment, by: Annotator, request: HttpRequest | None, handled: dict[str, Any]) -> None:
    record(AuditEntry.Action.BATCH_CHANGED, request=request, actor=by, batch=assignment.batch_id, **handled)
