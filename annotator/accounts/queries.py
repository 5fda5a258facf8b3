"""People, invitations and the audit log, as the admins' pages show them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from allauth.mfa.models import Authenticator
from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower

from annotator.models import Annotator, AuditEntry, Invitation, Role

PER_PAGE = 50
SIGN_INS = [AuditEntry.Action.SIGNED_IN, AuditEntry.Action.SIGN_IN_FAILED, AuditEntry.Action.LOCKED_OUT]
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class PersonRow:
    pk: int
    display_name: str
    username: str
    roles: list[str]
    last_login: datetime | None
    has_second_factor: bool
    is_active: bool


@dataclass(frozen=True, slots=True)
class InvitationRow:
    pk: int
    roles: list[str]
    email: str
    made_by: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class AuditRow:
    at: datetime
    who: str
    action: str
    about: str
    details: str
    address: str


def people(number: str = "1") -> "Page[PersonRow]":
    """Everybody who has or had an account, by name, active people first. 2 queries."""
    rows = (
        Annotator.objects.filter(is_imported=False)
        .annotate(has_second_factor=_second_factor())
        .order_by("-is_active", Lower("display_name"), "pk")
    )
    return _page(rows, number, _person_row)


def has_second_factor(annotator: Annotator) -> bool:
    return bool(Authenticator.objects.filter(user=annotator).exists())


def open_invitations() -> list[InvitationRow]:
    """The newest first. 1 query."""
    invitations = Invitation.objects.open().select_related("created_by").order_by("-created_at", "-pk")
    return [InvitationRow(i.pk, role_names(i.roles), i.email, _name(i.created_by), i.expires_at) for i in invitations]


def audit_log(number: str = "1", *, about: Q | None = None) -> "Page[AuditRow]":
    """The newest first. 2 queries."""
    return _page(_entries().filter(about or Q()), number, _audit_row)


def concerns(person: Annotator) -> Q:
    return Q(actor=person) | Q(subject=person)


def recent_entries(person: Annotator, *, limit: int = 20) -> list[AuditRow]:
    """What this person did, and what was done about them. 1 query."""
    return [_audit_row(entry) for entry in _entries().filter(concerns(person))[:limit]]


def recent_sign_ins(person: Annotator, *, limit: int = 10) -> list[AuditRow]:
    """1 query."""
    entries = _entries().filter(concerns(person), action__in=SIGN_INS)
    return [_audit_row(entry) for entry in entries[:limit]]


def role_names(roles: Iterable[str]) -> list[str]:
    return [role.label for role in Role if role.value in roles]


def _page(rows: "QuerySet[Any]", number: str, shape: Callable[[Any], Row]) -> "Page[Row]":
    page = Paginator(rows, PER_PAGE).get_page(number)
    page.object_list = [shape(row) for row in page.object_list]
    return page


def _second_factor() -> Exists:
    return Exists(Authenticator.objects.filter(user=OuterRef("pk")))


def _entries() -> "QuerySet[AuditEntry]":
    return AuditEntry.objects.select_related("actor", "subject").order_by("-at", "-pk")


def _person_row(annotator: Any) -> PersonRow:
    a = annotator
    return PersonRow(
        a.pk, a.display_name, a.username, role_names(a.roles), a.last_login, a.has_second_factor, a.is_active
    )


def _audit_row(entry: AuditEntry) -> AuditRow:
    details = ", ".join(f"{name}: {_in_words(value)}" for name, value in entry.details.items())
    about = _name(entry.subject)
    return AuditRow(entry.at, _name(entry.actor), entry.get_action_display(), about, details, entry.address or "")


def _in_words(value: object) -> str:
    return " + ".join(map(str, value)) if isinstance(value, list) else str(value)


def _name(annotator: Annotator | None) -> str:
    return annotator.display_name if annotator else ""
