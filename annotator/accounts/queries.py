"""People and invitations for the admin pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.paginator import Page
from django.db.models import Exists, OuterRef
from django.db.models.functions import Lower

from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from annotator.models import Annotator, Invitation, Role


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


PEOPLE_COLUMNS = {
    "name": "lower_name",
    "username": "username",
    "seen": "-last_login",
    "two-factor": "has_second_factor lower_name",
    "state": "-is_active lower_name",
}


def people_page(sorting: Sorting, number: str = "1") -> "Page[PersonRow]":
    """Everybody who has or had an account. 2 queries."""
    people = (
        Annotator.objects.filter(is_imported=False)
        .annotate(
            has_second_factor=Exists(Authenticator.objects.filter(user=OuterRef("pk"))),
            lower_name=Lower("display_name"),
        )
        .order_by(*sorting.order)
    )
    return page_of(people, number, _person_row)


def has_second_factor(annotator: Annotator) -> bool:
    return bool(Authenticator.objects.filter(user=annotator).exists())


def open_invitations() -> list[InvitationRow]:
    """Newest first. 1 query."""
    invitations = Invitation.objects.open().select_related("created_by").order_by("-created_at", "-pk")
    return [_invitation_row(invitation) for invitation in invitations]


def role_names(roles: Iterable[str]) -> list[str]:
    return [role.label for role in Role if role.value in roles]


def _person_row(person: Any) -> PersonRow:
    return PersonRow(
        pk=person.pk,
        display_name=person.display_name,
        username=person.username,
        roles=role_names(person.roles),
        last_login=person.last_login,
        has_second_factor=person.has_second_factor,
        is_active=person.is_active,
    )


def _invitation_row(invitation: Invitation) -> InvitationRow:
    made_by = invitation.created_by.display_name if invitation.created_by else ""
    roles = role_names(invitation.roles)
    return InvitationRow(invitation.pk, roles, invitation.email, made_by, invitation.expires_at)
