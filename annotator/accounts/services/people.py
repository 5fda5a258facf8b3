"""Change people and their accounts."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from annotator.accounts import links, lockout
from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry, Role

Action = AuditEntry.Action


class ChangeRefused(Exception):
    """A rule forbids the change. The message says which rule, and what to do."""


class AddressTaken(Exception):
    """Somebody else has just taken the e-mail address."""


def change_roles(annotator: Annotator, roles: list[str], *, by: Annotator, request: HttpRequest) -> None:
    with transaction.atomic():
        locked = _lock(annotator, stays_admin=Role.ADMIN in roles)
        before, after = sorted(locked.roles), sorted(roles)
        if before != after:
            locked.roles = after
            locked.save(update_fields=["roles"])
            record(Action.ROLES_CHANGED, request=request, actor=by, subject=locked, before=before, after=after)


def deactivate(annotator: Annotator, *, by: Annotator, request: HttpRequest) -> None:
    """Bar the person from signing in, and sign them out everywhere."""
    if annotator == by:
        raise ChangeRefused("You can’t deactivate yourself. Nothing was changed. Ask another admin to do it.")
    with transaction.atomic():
        locked = _lock(annotator, stays_admin=False)
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
    """Delete the person's sessions. Otherwise they would be valid again after a reactivation."""
    annotator.sessions.all().delete()


def make_password_link(annotator: Annotator, *, by: Annotator, request: HttpRequest) -> str:
    if not annotator.is_active:
        raise ChangeRefused(f"{annotator} is deactivated. No link was created. Reactivate them first.")
    record(Action.RESET_LINK_MADE, request=request, actor=by, subject=annotator)
    return links.password_link(annotator, links.base_url(request))


def lift_lock_out(annotator: Annotator, *, by: Annotator | None = None, request: HttpRequest | None = None) -> None:
    lockout.lift_lockout(annotator)
    record(Action.LOCK_OUT_LIFTED, request=request, actor=by, subject=annotator)


def remove_second_factor(annotator: Annotator, *, by: Annotator, request: HttpRequest) -> None:
    """Remove the second factor of somebody who has lost both the phone and the recovery codes."""
    with transaction.atomic():
        removed, _ = Authenticator.objects.filter(user=annotator).delete()
        if removed:
            record(Action.TWO_FACTOR_REMOVED, request=request, actor=by, subject=annotator)


def update_account(annotator: Annotator, *, request: HttpRequest) -> None:
    """Save the name and address. Delete allauth's copies of an old address, which would still allow signing in."""
    try:
        with transaction.atomic():
            annotator.save(update_fields=["display_name", "email"])
            EmailAddress.objects.filter(user=annotator).exclude(email=annotator.email).delete()
            record(Action.ACCOUNT_CHANGED, request=request, actor=annotator)
    except IntegrityError as error:
        raise AddressTaken from error


def save_preferences(annotator: Annotator) -> None:
    annotator.save(update_fields=["text_size", "density", "break_reminders"])


def _lock(annotator: Annotator, *, stays_admin: bool) -> Annotator:
    """Lock the person and all active admins, so that two admins who remove each other at once cannot leave none."""
    active_admins = Annotator.objects.filter(is_active=True, roles__contains=[Role.ADMIN])
    admins = list(active_admins.select_for_update(no_key=True).order_by("pk"))
    if admins == [annotator] and not stays_admin:
        raise ChangeRefused(
            f"{annotator} is the last active admin. Nothing was changed. Make someone else an admin first."
        )
    return Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
