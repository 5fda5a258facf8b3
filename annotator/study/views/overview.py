"""The whole study on one page, for those who run it."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.models import Role
from annotator.study.queries import overview as queries


@staff_required
@require_safe
def overview(request: AnnotatorRequest) -> HttpResponse:
    context = {"study": queries.overview(request.user), "is_admin": request.user.has_role(Role.ADMIN)}
    return render(request, "annotator/study/overview.html", context)
