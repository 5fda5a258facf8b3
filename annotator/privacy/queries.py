"""Takedowns for the privacy page."""

from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page

from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from annotator.models import AuditEntry
from annotator.privacy.takedowns import Reason, RemovedRows


@dataclass(frozen=True, slots=True)
class TakedownRow:
    at: datetime
    who: str  # empty: on the command line
    reason: str
    removed: str


TAKEDOWN_COLUMNS = {"when": "-at", "who": "actor__display_name -at", "reason": "details__reason -at"}


def takedowns_page(sorting: Sorting, number: str = "1") -> "Page[TakedownRow]":
    """One page of takedowns. Account names are not stored, so they can't be shown. 2 queries."""
    entries = AuditEntry.objects.filter(action=AuditEntry.Action.ACCOUNT_FORGOTTEN).select_related("actor")
    return page_of(entries.order_by(*sorting.order), number, _takedown_row)


def _takedown_row(entry: AuditEntry) -> TakedownRow:
    who, removed = entry.actor.display_name if entry.actor else "", RemovedRows.from_details(entry.details)
    summary = removed.summary if removed.profiles else "nothing, because it was in no corpus"
    return TakedownRow(entry.at, who, Reason(entry.details["reason"]).label, summary)
