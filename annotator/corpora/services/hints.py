"""Change the subreddit list. Every change goes into the audit log."""

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


class DuplicateHint(Exception):
    """The subreddit has a hint with the same attribute and value."""


@dataclass(frozen=True, slots=True)
class HintChanges:
    added: int
    changed: int
    removed: int
    unchanged: int

    def __str__(self) -> str:
        return f"{self.added} added, {self.changed} changed, {self.removed} removed, {self.unchanged} unchanged"


def add_hint(row: HintRow, *, by: Annotator | None = None, request: HttpRequest | None = None) -> AttributeHint:
    try:
        with transaction.atomic():
            subreddit_id = ensure_subreddits([row.subreddit])[row.subreddit.lower()]
            hint = AttributeHint.objects.create(
                subreddit_id=subreddit_id, attribute=row.attribute, value=row.value, reason=row.reason
            )
            record(CHANGED, request=request, actor=by, added=1, hint=hint.pk)
    except IntegrityError as error:
        raise DuplicateHint from error
    return hint


def change_hint(hint: AttributeHint, row: HintRow, *, by: Annotator, request: HttpRequest) -> bool:
    """Change everything but the subreddit; return whether anything differed."""
    values = {"attribute": row.attribute, "value": row.value, "reason": row.reason}
    try:
        with transaction.atomic():
            changed = AttributeHint.objects.filter(~Q(**values), pk=hint.pk).update(**values) == 1
            if changed:
                record(CHANGED, request=request, actor=by, changed=1, hint=hint.pk)
    except IntegrityError as error:
        raise DuplicateHint from error
    return changed


def remove_hint(hint_id: int, *, by: Annotator | None = None, request: HttpRequest | None = None) -> bool:
    """Remove the hint; return whether it still existed."""
    with transaction.atomic():
        removed, _ = AttributeHint.objects.filter(pk=hint_id).delete()
        if removed:
            record(CHANGED, request=request, actor=by, removed=1, hint=hint_id)
    return bool(removed)


def import_hints(
    rows: Sequence[HintRow], *, replace: bool = False, by: Annotator | None = None, request: HttpRequest | None = None
) -> HintChanges:
    """Store the rows; when replacing, remove all others. Repeating an import changes nothing."""
    with transaction.atomic():
        comparison = save_hints(rows, replace=replace)
        removed = len(comparison.missing) if replace else 0
        changes = HintChanges(len(comparison.new), len(comparison.changed), removed, comparison.unchanged)
        if changes.added or changes.changed or changes.removed:
            record(
                CHANGED,
                request=request,
                actor=by,
                added=changes.added,
                changed=changes.changed,
                removed=changes.removed,
            )
    return changes
