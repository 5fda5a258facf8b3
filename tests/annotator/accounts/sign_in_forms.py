"""Sign in through the pages, as people do."""

import re
import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
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


def current_code(secret: str) -> str:
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def is_signed_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def actions() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


def entry(action: str) -> AuditEntry:
    return AuditEntry.objects.filter(action=action).latest("pk")


def link_in(message: EmailMessage) -> str:
    return str(re.findall(r"http\S+", str(message.body))[0])
