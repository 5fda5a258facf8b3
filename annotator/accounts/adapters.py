"""Adapt allauth: nobody signs up uninvited, and second factors are stored encrypted."""

from functools import partial
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import lazystr

from annotator.accounts import links, lockout, tasks
from annotator.core.audit import client_address, record
from annotator.models import Annotator, AuditEntry
from profiles.encryption import seal, unseal

WRONG_CREDENTIALS = "Wrong user name or password. Check both, then try again."
WRONG_CURRENT = "Your current password is wrong. Nothing was changed."
WRONG_CODE = "This code is wrong or has already been used. Wait for the next one, then try again."

SLOWED_DOWN = (
    f"Many wrong passwords came in for this account, so we check only one every {lockout.PAUSE} seconds. Yours was not "
    "checked. Wait a moment and try again, or use a device you have signed in from before."
)


class LockoutMessage:
    """Rendered when shown, because the length of a lock-out is a setting."""

    def __str__(self) -> str:
        return (
            f"Too many failed attempts. You can’t sign in to this account from here for up to "
            f"{lockout.lockout_minutes()} minutes. Wait and try again, or ask an admin to unlock it."
        )


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages = DefaultAccountAdapter.error_messages | {
        "too_many_login_attempts": lazystr(LockoutMessage()),
        "slowed_down": SLOWED_DOWN,
        "username_password_mismatch": WRONG_CREDENTIALS,
        "email_password_mismatch": WRONG_CREDENTIALS,
        "incorrect_password": "Wrong password. Check it, then try again.",
        "enter_current_password": WRONG_CURRENT,
        "account_inactive": "This account was deactivated. Ask an admin to reactivate it.",
        "invalid_password_reset": "This link has already been used, has expired, or is incomplete. Get a new one.",
        "rate_limited": "Too many requests. Wait a moment, then try again.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse without looking at the password while signing in is paused. allauth's own limits are turned off."""
        login = lockout.typed_login(credentials)
        if _counter(request, credentials).count() > lockout.max_failures():
            refused, error = "locked out", "too_many_login_attempts"
        elif not lockout.allows_password(login, client_address(request)):
            refused, error = "slowed down", "slowed_down"
        else:
            return
        subject = lockout.find_person(login)
        record(AuditEntry.Action.SIGN_IN_FAILED, request=request, subject=subject, refused=refused)
        raise self.validation_error(error)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Annotator | None:
        """Authenticate, then clear the person's earlier failures from this address."""
        annotator: Annotator | None = super().authenticate(request, **credentials)
        if annotator:
            _counter(request, credentials).clear()
        return annotator

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        if _counter(request, credentials).is_full:
            subject = lockout.find_person(lockout.typed_login(credentials))
            record(AuditEntry.Action.LOCKED_OUT, request=request, subject=subject)

    def is_safe_url(self, url: str) -> bool:
        try:
            return bool(super().is_safe_url(url))
        except ValueError:  # not an address, such as “http://[”
            return False

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("annotator:account")

    def format_email_subject(self, subject: str) -> str:
        return subject

    def send_password_reset_mail(self, user: Annotator, email: str, context: dict[str, Any]) -> None:
        """Let a worker send the mail, so that the response time does not reveal who has an account."""
        base_url = links.base_url(self.request)
        transaction.on_commit(partial(tasks.mail_password_link.delay, user.pk, base_url), robust=True)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": WRONG_CODE,
        "cannot_delete_authenticator": "Two-factor sign-in can’t be turned off for this account.",
        "cannot_generate_recovery_codes": "Turn on two-factor sign-in first. Then you get recovery codes.",
    }

    def encrypt(self, text: str) -> str:
        return seal(text).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return unseal(encrypted_text.encode())


def _counter(request: HttpRequest, credentials: dict[str, Any]) -> lockout.Counter:
    return lockout.password_counter(lockout.typed_login(credentials), client_address(request))


def display_name(annotator: Annotator) -> str:
    return annotator.display_name
