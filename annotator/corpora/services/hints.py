"""What admins change about the subreddit list. Every change is written to the audit log."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry
from profiles.hints.rules import HintRow
from profiles.hints.store import save_hints
from profiles.models import AttributeHint
from profiles.subreddits import ensure_subreddits

CHANGED = AuditEntry.Action.HINTS_CHANGED


class SaidAlready(Exception):
    """The subreddit has a hint with the same attribute and value."""


@dataclass(frozen=True, slots=True)
class Imported:
    added: int
    changed: int
    removed: int
    unchanged: int

    def __str__(self) -> str:
        return f"{self.added} added, {self.changed} changed, {self.removed} removed, {self.unchanged} as they were"


def add_hint(row: HintRow, *, by: Annotator, request: HttpRequest) -> AttributeHint:
    try:
        with transaction.atomic():
            place = ensure_subreddits([row.subreddit])[row.subreddit.lower()]
            hint = AttributeHint.objects.create(
                subreddit_id=place, attribute=row.attribute, value=row.value, reason=row.reason
            )
            record(CHANGED, request=request, actor=by, added=1, hint=hint.pk)
    except IntegrityError as error:
        raise SaidAlready from error
    return hint


def change_hint(hint: AttributeHint, row: HintRow, *, by: Annotator, request: HttpRequest) -> bool:
    """Whether there was anything to change. The subreddit stays."""
    said = {"attribute": row.attribute, "value": row.value, "reason": row.reason}
    try:
        with transaction.atomic():
            changed = AttributeHint.objects.filter(~Q(**said), pk=hint.pk).update(**said) == 1
            if changed:
                record(CHANGED, request=request, actor=by, changed=1, hint=hint.pk)
    except IntegrityError as error:
        raise SaidAlready from error
    return changed


def remove_hint(hint_id: int, *, by: Annotator, request: HttpRequest) -> bool:
    """Whether it was still there."""
    with transaction.atomic():
        removed, _ = AttributeHint.objects.filter(pk=hint_id).delete()
        if removed:
            record(CHANGED, request=request, actor=by, removed=1, hint=hint_id)
    return bool(removed)


def import_hints(
    rows: Sequence[HintRow], *, replace: bool = False, by: Annotator | None = None, request: HttpRequest | None = None
) -> Imported:
    """Keep the rows; when replacing, remove all others. Importing the same twice changes nothing."""
    with transaction.atomic():
        changes = save_hints(rows, replace=replace)
        removed = len(changes.missing) if replace else 0
        imported = Imported(len(changes.new), len(changes.changed), removed, changes.unchanged)
        if imported.added or imported.changed or imported.removed:
            record(
                CHANGED,
                request=request,
                actor=by,
                added=imported.added,
                changed=imported.changed,
                removed=imported.removed,
            )
    return imported
