"""Takedowns as the privacy page lists them."""

from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator

from annotator.models import AuditEntry
from annotator.privacy.takedown_text import Reason, Removed

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class TakedownRow:
    at: datetime
    who: str  # empty: on the command line
    reason: str
    removed: str


def takedowns(number: str = "1") -> "Page[TakedownRow]":
    """The newest first, without names: nobody kept them. 2 queries."""
    entries = AuditEntry.objects.filter(action=AuditEntry.Action.ACCOUNT_FORGOTTEN).select_related("actor")
    page = Paginator(entries.order_by("-at", "-pk"), PER_PAGE).get_page(number)
    rows: Page[TakedownRow] = page  # type: ignore[assignment]
    rows.object_list = [_row(entry) for entry in page.object_list]
    return rows


def _row(entry: AuditEntry) -> TakedownRow:
    who, removed = entry.actor.display_name if entry.actor else "", Removed.from_details(entry.details)
    went = removed.in_words if removed.profiles else "nothing: it was in no corpus"
    return TakedownRow(entry.at, who, Reason(entry.details["reason"]).label, went)
