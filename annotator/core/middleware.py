"""Middleware: refuse unreadable requests, keep pages out of caches, sign in again under htmx, record who did what."""

import re
from collections.abc import Callable

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils.http import urlencode
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails
from django_structlog.middlewares.request import RequestMiddleware
from pghistory.middleware import HistoryMiddleware

COOKIE = re.compile(r"[!-~]{0,4096}")
DEBUG_PAGES = (404, 500)  # Django's own, with their own styles
SESSION_COOKIE = re.compile(r"[a-z0-9]{32}")


class ReadableRequestMiddleware:
    """Make sure that what Django reads by itself can be read: the character set and the cookies.

    A character set such as base64 would break every form. A session cookie goes into a query and a cache key.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if _is_readable(name, value)}
        if (request.encoding or "utf-8").lower() not in ("utf-8", "utf8"):
            request.encoding = "utf-8"
            raise BadRequest("Requests must be in UTF-8.")
        return self.get_response(request)


def _is_readable(name: str, value: str) -> bool:
    pattern = SESSION_COOKIE if name == settings.SESSION_COOKIE_NAME else COOKIE
    return pattern.fullmatch(value) is not None


class ContentPolicyMiddleware:
    """Send the Content-Security-Policy of the settings. No view changes it, so it is built once."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = build_policy()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not (settings.DEBUG and response.status_code in DEBUG_PAGES):
            response.headers[HEADER] = self.policy
        return response


class NoStoreMiddleware:
    """Keep pages out of caches, unless a view says otherwise: most of them show what people wrote."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store, private")
        return response


class RequestLogMiddleware(RequestMiddleware):
    """Log each request by its path. Query strings hold search words, typed places and detected strings."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {request.path}"


class HtmxSignInMiddleware:
    """If the session of an open page has ended, send the whole page to sign in, and back afterwards.

    Otherwise htmx would follow the redirect and put the sign-in page into the middle of the open page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        htmx = getattr(request, "htmx", None)
        if "Location" not in response.headers or not htmx:
            return response
        sign_in = resolve_url(settings.LOGIN_URL)
        if not response.headers["Location"].startswith(sign_in):
            return response
        return HttpResponseClientRedirect(f"{sign_in}?{urlencode({'next': _page_path(htmx) or '/'})}")


def _page_path(htmx: HtmxDetails) -> str | None:
    """The path of the open page, or None if the browser's header is not an address of ours."""
    try:
        return htmx.current_url_abs_path
    except ValueError:  # such as “http://[”
        return None


class PersonHistoryMiddleware(HistoryMiddleware):
    """Record who made a change: the id in the session, without loading the person.

    The URL is not recorded: it may contain the secret of an invitation.
    """

    def get_context(self, request: HttpRequest) -> dict[str, str | None]:
        return {"person": request.session.get(SESSION_KEY)}
