"""Requests of signed-in people, which htmx may have sent, and safe addresses to redirect to."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from annotator.models import Annotator


class AnnotatorRequest(HttpRequest):
    user: Annotator
    htmx: HtmxDetails


def safe_path(request: HttpRequest, default: str) -> str:
    """Where a form leads back to: its field `next` if that is on this site."""
    path = request.POST.get("next", default)
    is_ours = url_has_allowed_host_and_scheme(
        path, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return path if is_ours else default
