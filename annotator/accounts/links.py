"""One-time links to join or to choose a new password. Anyone who has a link can use it."""

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.urls import reverse

from annotator.embedded.supervisor import running_url
from annotator.models import Annotator, Invitation

DEFAULT_URL = "http://127.0.0.1:8000"


def base_url(request: HttpRequest | None = None) -> str:
    """The site's URL from the settings or the request; without a request, from a running `bin/up` or DEFAULT_URL."""
    if settings.BASE_URL:
        return str(settings.BASE_URL).rstrip("/")
    if request is None:
        return running_url(settings.HOME) or DEFAULT_URL
    return f"{request.scheme}://{request.get_host()}"


def invitation_link(invitation: Invitation, base: str) -> str:
    """The link to join. It is signed and always the same, so it need not be stored."""
    token = _signer().sign(f"{invitation.pk}.{invitation.nonce}")
    return base + reverse("annotator:join", args=[token])


def find_invitation(token: str) -> Invitation | None:
    try:
        pk, nonce = _signer().unsign(token).split(".", 1)
    except BadSignature:
        return None
    return Invitation.objects.filter(pk=pk, nonce=nonce).first()


def password_link(annotator: Annotator, base: str) -> str:
    """An allauth reset link. It works once, within PASSWORD_RESET_TIMEOUT."""
    key, uid = default_token_generator.make_token(annotator), user_pk_to_url_str(annotator)
    return base + reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": key})


def _signer() -> Signer:
    return Signer(salt="annotator.invitation")
