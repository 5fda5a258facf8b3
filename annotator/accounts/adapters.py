"""Adapt allauth: nobody signs up uninvited, and second factors are stored encrypted."""

from functools import partial
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import lazystr

from annotator.accounts import links, lockout, tasks
from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry
from profiles.encryption import seal, unseal

WRONG_CREDENTIALS = "The user name or the password is not right. Check both, then try again."


class LockoutMessage:
    """Rendered only when shown, because the length of a lock-out is a setting."""

    def __str__(self) -> str:
        return (
            f"Too many attempts failed, so signing in is paused for up to {lockout.lockout_minutes()} "
            "minutes. Nothing was changed. Wait and try again, or ask an admin to lift the pause."
        )


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages = DefaultAccountAdapter.error_messages | {
        "too_many_login_attempts": lazystr(LockoutMessage()),
        "username_password_mismatch": WRONG_CREDENTIALS,
        "email_password_mismatch": WRONG_CREDENTIALS,
        "incorrect_password": "This is not your password. Check it, then try again.",
        "enter_current_password": "This is not your current password. Nothing was changed.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            subject = lockout.find_person(typed_login(credentials))
            record(AuditEntry.Action.SIGN_IN_FAILED, request=request, subject=subject, refused="locked out")
            raise

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Annotator | None:
        """Clear the person's earlier failures: allauth keeps them after a success."""
        annotator: Annotator | None = super().authenticate(request, **credentials)
        if annotator:
            lockout.clear_failures(lockout.password_key(annotator))
        return annotator

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        if lockout.has_too_many_failures(self._get_login_attempts_cache_key(request, **credentials)):
            subject = lockout.find_person(typed_login(credentials))
            record(AuditEntry.Action.LOCKED_OUT, request=request, subject=subject)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count per person: allauth counts each user name, address and host name separately."""
        login = typed_login(credentials)
        annotator = lockout.find_person(login)
        return lockout.password_key(annotator) if annotator else f"unknown:{login.lower()}"

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("annotator:account")

    def format_email_subject(self, subject: str) -> str:
        return subject

    def send_password_reset_mail(self, user: Annotator, email: str, context: dict[str, Any]) -> None:
        """Let a worker send it: the response time must not reveal who has an account."""
        base_url = links.base_url(self.request)
        transaction.on_commit(partial(tasks.mail_password_link.delay, user.pk, base_url))


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "This code is not right, or it was used already. Wait for the next one, then try again.",
    }

    def encrypt(self, text: str) -> str:
        return seal(text).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return unseal(encrypted_text.encode())


def typed_login(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email") or credentials.get("username") or "")


def display_name(annotator: Annotator) -> str:
    return annotator.display_name
