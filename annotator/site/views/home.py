"""The home page, the theme switch and the style guide."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from annotator.batches.queries.progress import batches_of, open_batches
from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.corpora.queries.corpora import corpus_rows
from annotator.models import Role
from annotator.site.navigation import THEME_COOKIE, THEMES
from annotator.site.styleguide import styleguide_context
from profiles.models import Corpus

SECONDS_PER_YEAR = 365 * 24 * 3600


@login_required
@require_safe
def home(request: AnnotatorRequest) -> HttpResponse:
    """Show evaluators their own batches, and staff the study."""
    runs_study = request.user.has_role(Role.ADMIN, Role.RESEARCHER)
    context = {
        "own_batches": batches_of(request.user) if request.user.has_role(Role.EVALUATOR) else None,
        "corpora": corpus_rows(Corpus.objects.visible().current()) if runs_study else None,
        "is_admin": request.user.has_role(Role.ADMIN),
        "batches": open_batches() if runs_study else None,
    }
    return render(request, "annotator/site/home.html", context)


@require_POST
def set_theme(request: AnnotatorRequest) -> HttpResponse:
    theme, back = request.POST.get("theme", ""), request.POST.get("next", "/")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure())
    response = HttpResponseRedirect(back if safe else "/")  # not redirect(), which takes “foo” for the name of a view
    if theme in THEMES:
        secure = request.is_secure()
        response.set_cookie(THEME_COOKIE, theme, max_age=SECONDS_PER_YEAR, samesite="Lax", secure=secure, httponly=True)
    return response


@admin_required
@require_safe
def styleguide(request: AnnotatorRequest) -> HttpResponse:
    return render(request, "annotator/site/styleguide.html", styleguide_context())
