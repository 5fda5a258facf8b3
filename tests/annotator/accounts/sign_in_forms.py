"""Sign in through the pages, as people do."""

import base64
import hashlib
import hmac
import re
import secrets
import time

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.core.mail import EmailMessage
from django.test import Client

from annotator.models import Annotator, AuditEntry
from tests.factories import PASSWORD

SIGN_IN = "/account/login/"


def sign_in(client: Client, login: str, password: str = PASSWORD):
    return client.post(SIGN_IN, {"login": login, "password": password})


def signed_in(annotator: Annotator) -> Client:
    """A client that signed in through the sign-in page."""
    client = Client()
    assert sign_in(client, annotator.username).status_code == 302
    return client


def confirm_password(client: Client, password: str = PASSWORD) -> None:
    assert client.post("/account/reauthenticate/", {"password": password}).status_code == 302


def current_code(secret: str, *, periods: int = 0) -> str:
    """The code that an app shows, now or some periods of 30 seconds later (RFC 6238)."""
    counter = int(time.time()) // 30 + periods
    digest = hmac.digest(base64.b32decode(secret), counter.to_bytes(8, "big"), hashlib.sha1)
    offset = digest[-1] & 15
    return f"{(int.from_bytes(digest[offset : offset + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"


def next_code(secret: str) -> str:
    """A code that is accepted although the current one was used."""
    return current_code(secret, periods=1)


def add_second_factor(annotator: Annotator) -> None:
    secret = base64.b32encode(secrets.token_bytes(20)).decode()
    data = {"secret": get_adapter().encrypt(secret)}
    Authenticator.objects.create(user=annotator, type=Authenticator.Type.TOTP, data=data)


def is_signed_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def actions() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


def entry(action: str) -> AuditEntry:
    return AuditEntry.objects.filter(action=action).latest("pk")


def link_in(message: EmailMessage) -> str:
    return str(re.findall(r"http\S+", str(message.body))[0])
