"""Error pages. Each says what happened and what to do."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import loader


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Render without context or request, so that whatever broke the page can't break this one."""
    return HttpResponse(loader.render_to_string("500.html"), status=500)
