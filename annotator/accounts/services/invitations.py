"""Create, revoke and accept invitations."""

from collections.abc import Iterable
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.accounts import links, tasks
from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry, Invitation

Action = AuditEntry.Action


class InvitationClosed(Exception):
    """The invitation has been used or revoked, or has expired."""


class NameTaken(Exception):
    """Somebody else has just taken the user name or the e-mail address."""


def create_invitation(
    *, roles: Iterable[str], email: str = "", by: Annotator | None = None, request: HttpRequest | None = None,
    base_url: str = "",
) -> Invitation:  # fmt: skip
    """Create an invitation. If mail is set up and an address is given, send its link there."""
    base_url = base_url or links.base_url(request)
    expires_at = timezone.now() + timedelta(days=settings.INVITATION_DAYS)
    with transaction.atomic():
        invitation = Invitation.objects.create(roles=list(roles), email=email, created_by=by, expires_at=expires_at)
        record(Action.INVITED, request=request, actor=by, invitation=invitation.pk, roles=invitation.roles)
        if email and settings.MAIL_IS_CONFIGURED:
            transaction.on_commit(partial(tasks.mail_invitation.delay, invitation.pk, base_url), robust=True)
    return invitation


def revoke_invitation(invitation_id: int, *, by: Annotator, request: HttpRequest) -> None:
    """Revoke an open invitation, or raise InvitationClosed."""
    with transaction.atomic():
        open_invitation = Invitation.objects.open().filter(pk=invitation_id)
        if open_invitation.update(revoked_at=timezone.now()) == 0:
            raise InvitationClosed
        record(Action.INVITATION_REVOKED, request=request, actor=by, invitation=invitation_id)


def accept_invitation(invitation: Invitation, annotator: Annotator, *, request: HttpRequest) -> None:
    """Create the account. If two people accept at once, the second gets InvitationClosed. May raise NameTaken."""
    try:
        with transaction.atomic():
            locked = Invitation.objects.open().select_for_update(no_key=True).filter(pk=invitation.pk).first()
            if locked is None:
                raise InvitationClosed
            annotator.roles = locked.roles
            annotator.save(force_insert=True)
            locked.used_at, locked.used_by = timezone.now(), annotator
            locked.save(update_fields=["used_at", "used_by"])
            record(Action.JOINED, request=request, actor=annotator, invitation=locked.pk)
    except IntegrityError as error:
        raise NameTaken from error
