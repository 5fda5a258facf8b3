"""The home page, the theme switch and the style guide."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from annotator.batches.queries.progress import batches_of
from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest, safe_path
from annotator.models import Role
from annotator.site.navigation import THEME_COOKIE, THEMES
from annotator.site.styleguide import styleguide_context
from annotator.study.queries.overview import study_overview

SECONDS_PER_YEAR = 365 * 24 * 3600


@login_required
@require_safe
def home(request: AnnotatorRequest) -> HttpResponse:
    """Show people who run the study what needs attention, and everybody else their own batches."""
    own_batches = batches_of(request.user) if request.user.has_role(Role.EVALUATOR) else None
    if not request.user.has_role(Role.ADMIN, Role.RESEARCHER):
        return render(request, "annotator/site/home.html", {"own_batches": own_batches})
    context = {
        "study": study_overview(request.user),
        "own_batches": own_batches,
        "is_admin": request.user.has_role(Role.ADMIN),
    }
    return render(request, "annotator/study/overview.html", context)


@require_POST
def set_theme(request: AnnotatorRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    response = HttpResponseRedirect(safe_path(request, "/"))  # not redirect(), which takes “foo” for the name of a view
    if theme in THEMES:
        secure = request.is_secure()
        response.set_cookie(THEME_COOKIE, theme, max_age=SECONDS_PER_YEAR, samesite="Lax", secure=secure, httponly=True)
    return response


@admin_required
@require_safe
def styleguide(request: AnnotatorRequest) -> HttpResponse:
    return render(request, "annotator/site/styleguide.html", styleguide_context())
