"""Middleware: sign in again under htmx, and who changed what."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils.http import urlencode
from django_htmx.http import HttpResponseClientRedirect
from pghistory.middleware import HistoryMiddleware


class HtmxSignInMiddleware:
    """If a session ends under an open page, send the whole page to sign in, and back afterwards.

    htmx would follow the redirect and put the sign-in page into the middle of the open page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        sign_in = resolve_url(settings.LOGIN_URL)
        htmx = getattr(request, "htmx", None)
        if not htmx or not response.headers.get("Location", "").startswith(sign_in):
            return response
        back = htmx.current_url_abs_path or "/"
        return HttpResponseClientRedirect(f"{sign_in}?{urlencode({'next': back})}")


class PersonHistoryMiddleware(HistoryMiddleware):
    """Record who made a change: the id in the session, without loading the person.

    The URL is not recorded: it may hold the secret of an invitation.
    """

    def get_context(self, request: HttpRequest) -> dict[str, str | None]:
        return {"person": request.session.get(SESSION_KEY)}
