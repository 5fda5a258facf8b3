"""Record allauth's signals in the audit log, but never what somebody typed."""

from collections.abc import Callable

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.contrib.auth.signals import user_login_failed
from django.dispatch import Signal
from django.http import HttpRequest

from annotator.accounts import lockout
from annotator.accounts.sessions import SessionStore
from annotator.core.audit import client_address, record
from annotator.models import Annotator, AuditEntry

Action = AuditEntry.Action


def signed_in(*, request: HttpRequest, user: Annotator, method: str = "", **_: object) -> None:
    from allauth.account.authentication import get_authentication_records  # noqa: PLC0415 only the site needs it

    steps = get_authentication_records(request, user)
    methods = [step.get("type", step["method"]) for step in steps]
    record(Action.SIGNED_IN, request=request, actor=user, methods=[method] if method else methods)
    SessionStore.clear_expired()  # of everybody: nothing else does


def sign_in_failed(*, credentials: dict[str, str], request: HttpRequest | None = None, **_: object) -> None:
    record(Action.SIGN_IN_FAILED, request=request, subject=lockout.find_person(lockout.typed_login(credentials)))


def second_factor_failed(*, request: HttpRequest, user: Annotator, **_: object) -> None:
    record(Action.SIGN_IN_FAILED, request=request, subject=user, step="second factor")
    if lockout.code_counter(user, client_address(request)).is_full:
        record(Action.LOCKED_OUT, request=request, subject=user, step="second factor")


def signed_out(*, request: HttpRequest, user: Annotator | None, **_: object) -> None:
    if user is not None:
        record(Action.SIGNED_OUT, request=request, actor=user)


def password_changed(*, request: HttpRequest, user: Annotator, **_: object) -> None:
    record(Action.PASSWORD_CHANGED, request=request, actor=user)


def password_reset(*, request: HttpRequest, user: Annotator, **_: object) -> None:
    lockout.lift_lockout(user)
    record(Action.PASSWORD_RESET, request=request, subject=user)


def second_factor_added(*, request: HttpRequest, user: Annotator, authenticator: Authenticator, **_: object) -> None:
    record(Action.TWO_FACTOR_ADDED, request=request, actor=user, type=str(authenticator.type))


def second_factor_removed(*, request: HttpRequest, user: Annotator, authenticator: Authenticator, **_: object) -> None:
    record(Action.TWO_FACTOR_REMOVED, request=request, actor=user, type=str(authenticator.type))


RECEIVERS: list[tuple[Signal, Callable[..., None]]] = [
    (account.user_logged_in, signed_in),
    (account.user_logged_out, signed_out),
    (account.password_changed, password_changed),
    (account.password_set, password_changed),
    (account.password_reset, password_reset),
    (user_login_failed, sign_in_failed),
    (mfa.authentication_failed, second_factor_failed),
    (mfa.authenticator_added, second_factor_added),
    (mfa.authenticator_reset, second_factor_added),  # new recovery codes
    (mfa.authenticator_removed, second_factor_removed),
]


def connect_receivers() -> None:
    for signal, receiver in RECEIVERS:
        signal.connect(receiver, dispatch_uid=f"annotator.{receiver.__name__}")
