"""What admins change about people, and what people change about themselves."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.cached_db import SessionStore
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.accounts import links, lockout
from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry, Role

Action = AuditEntry.Action


class Refused(Exception):
    """A rule forbids it. The text says which, and what to do."""


class AddressTaken(Exception):
    """Somebody else took the e-mail address a moment ago."""


def change_roles(annotator: Annotator, roles: list[str], *, by: Annotator, request: HttpRequest) -> None:
    with transaction.atomic():
        locked = _lock(annotator, admin_afterwards=Role.ADMIN in roles)
        before, after = sorted(locked.roles), sorted(roles)
        if before != after:
            locked.roles = after
            locked.save(update_fields=["roles"])
            record(Action.ROLES_CHANGED, request=request, actor=by, subject=locked, before=before, after=after)


def deactivate(annotator: Annotator, *, by: Annotator, request: HttpRequest) -> None:
    """From now on they cannot sign in, and where they are signed in, they no longer are."""
    if annotator == by:
        raise Refused("You cannot deactivate yourself. Nothing was changed. Ask another admin to do it.")
    with transaction.atomic():
        locked = _lock(annotator, admin_afterwards=False)
        if locked.is_active:
            locked.is_active = False
            locked.save(update_fields=["is_active"])
            record(Action.DEACTIVATED, request=request, actor=by, subject=locked)
    end_sessions(annotator)


def reactivate(annotator: Annotator, *, by: Annotator, request: HttpRequest) -> None:
    with transaction.atomic():
        if Annotator.objects.filter(pk=annotator.pk, is_active=False).update(is_active=True) == 1:
            record(Action.REACTIVATED, request=request, actor=by, subject=annotator)


def end_sessions(annotator: Annotator) -> None:
    """Or they would come back to life with the account. Reads every running session: there are few, and it is rare."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator(chunk_size=500):
        if session.get_decoded().get(SESSION_KEY) == str(annotator.pk):
            SessionStore(session.session_key).delete()


def make_password_link(annotator: Annotator, *, by: Annotator, request: HttpRequest) -> str:
    if not annotator.is_active:
        raise Refused(f"{annotator} is deactivated. No link was made. Reactivate them first.")
    record(Action.RESET_LINK_MADE, request=request, actor=by, subject=annotator)
    return links.password_link(annotator, links.base_url(request))


def lift_lock_out(annotator: Annotator, *, by: Annotator, request: HttpRequest) -> None:
    lockout.lift(annotator)
    record(Action.LOCK_OUT_LIFTED, request=request, actor=by, subject=annotator)


def remove_second_factor(annotator: Annotator, *, by: Annotator, request: HttpRequest) -> None:
    """For somebody who lost both the phone and the recovery codes."""
    with transaction.atomic():
        removed, _ = Authenticator.objects.filter(user=annotator).delete()
        if removed:
            record(Action.TWO_FACTOR_REMOVED, request=request, actor=by, subject=annotator)


def update_account(annotator: Annotator, *, request: HttpRequest) -> None:
    """Keep the new name and address. The library's copies of an old address would still open the account."""
    try:
        with transaction.atomic():
            annotator.save(update_fields=["display_name", "email"])
            EmailAddress.objects.filter(user=annotator).exclude(email=annotator.email).delete()
            record(Action.ACCOUNT_CHANGED, request=request, actor=annotator)
    except IntegrityError as error:
        raise AddressTaken from error


def _lock(annotator: Annotator, *, admin_afterwards: bool) -> Annotator:
    """The row, and with it all admins: two of them who remove each other must not leave none."""
    active_admins = Annotator.objects.filter(is_active=True, roles__contains=[Role.ADMIN])
    admins = list(active_admins.select_for_update(no_key=True).order_by("pk"))
    if admins == [annotator] and not admin_afterwards:
        raise Refused(f"{annotator} is the last active admin. Nothing was changed. Make somebody else an admin first.")
    return Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
