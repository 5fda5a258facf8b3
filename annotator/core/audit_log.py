"""Read the audit log for pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page
from django.db.models import Q, QuerySet

from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from annotator.models import Annotator, AuditEntry, SkipReason

SIGN_INS = [AuditEntry.Action.SIGNED_IN, AuditEntry.Action.SIGN_IN_FAILED, AuditEntry.Action.LOCKED_OUT]
NAMES = {"slots": "assignments", "profile_id": "profile", "corpus_id": "corpus"}  # of details, as people know them
SKIP_REASONS = {reason.value: str(reason.label).lower() for reason in SkipReason}


@dataclass(frozen=True, slots=True)
class AuditRow:
    at: datetime
    who: str
    action: str
    about: str
    details: str
    address: str


AUDIT_COLUMNS = {
    "when": "-at",
    "who": "actor__display_name -at",
    "action": "action -at",
    "about": "subject__display_name -at",
}


def audit_page(sorting: Sorting, number: str = "1", *, filters: Q | None = None) -> "Page[AuditRow]":
    """2 queries."""
    entries = _entries().filter(filters or Q()).order_by(*sorting.order)
    return page_of(entries, number, _audit_row)


def recent_entries(person: Annotator, *, limit: int = 20) -> list[AuditRow]:
    """What this person did, and what was done to them. 1 query."""
    return [_audit_row(entry) for entry in _entries().filter(by_or_about(person))[:limit]]


def recent_sign_ins(person: Annotator, *, limit: int = 10) -> list[AuditRow]:
    """1 query."""
    entries = _entries().filter(by_or_about(person), action__in=SIGN_INS)
    return [_audit_row(entry) for entry in entries[:limit]]


def by_or_about(person: Annotator) -> Q:
    return Q(actor=person) | Q(subject=person)


def _entries() -> "QuerySet[AuditEntry]":
    return AuditEntry.objects.select_related("actor", "subject").order_by("-at", "-pk")


def _audit_row(entry: AuditEntry) -> AuditRow:
    words = SKIP_REASONS if entry.action == AuditEntry.Action.PROFILE_SKIPPED else {}
    details = ", ".join(f"{NAMES.get(name, name)}: {_detail(value, words)}" for name, value in entry.details.items())
    about = _name(entry.subject)
    return AuditRow(entry.at, _name(entry.actor), entry.get_action_display(), about, details, entry.address or "")


def _detail(value: object, words: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " + ".join(map(str, value)) if isinstance(value, list) else words.get(str(value), str(value))


def _name(annotator: Annotator | None) -> str:
    return annotator.display_name if annotator else ""
