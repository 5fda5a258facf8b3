"""Links that open a door once: to join, or to choose a new password. Whoever has one may use it."""

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.urls import reverse

from annotator.embedded.supervisor import address_of_up
from annotator.models import Annotator, Invitation

LOCAL = "http://127.0.0.1:8000"


def base_url(request: HttpRequest | None = None) -> str:
    """Where people reach the site: as it is set, else as this request found it, else where `bin/up` serves it."""
    if settings.BASE_URL:
        return str(settings.BASE_URL).rstrip("/")
    if request is None:
        return address_of_up(settings.HOME) or LOCAL
    return f"{request.scheme}://{request.get_host()}"


def invitation_link(invitation: Invitation, base: str) -> str:
    """Always the same for the same invitation, so that it need not be kept anywhere."""
    token = _signer().sign(f"{invitation.pk}.{invitation.nonce}")
    return base + reverse("annotator:join", args=[token])


def invitation_behind(token: str) -> Invitation | None:
    try:
        pk, nonce = _signer().unsign(token).split(".", 1)
    except BadSignature:
        return None
    return Invitation.objects.filter(pk=pk, nonce=nonce).first()


def password_link(annotator: Annotator, base: str) -> str:
    """Works once and for PASSWORD_RESET_TIMEOUT, like the library's own links: they are the same."""
    key, uid = default_token_generator.make_token(annotator), user_pk_to_url_str(annotator)
    return base + reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": key})


def _signer() -> Signer:
    return Signer(salt="annotator.invitation")
