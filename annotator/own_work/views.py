"""An evaluator's own pages: statistics, and what became of flags, skips and notes."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotator.batches.queries.progress import batches_of
from annotator.core.access import role_required
from annotator.core.http import AnnotatorRequest
from annotator.models import Role
from annotator.own_work.queries.reports import Report, own_reports
from annotator.own_work.queries.statistics import RECENT_PROFILES, own_statistics
from annotator.quality.queries.known_profiles import own_known_tallies

evaluator_required = role_required(Role.EVALUATOR)


@evaluator_required
@require_safe
def own_work(request: AnnotatorRequest) -> HttpResponse:
    now = timezone.now()
    context = {
        "statistics": own_statistics(request.user, now=now),
        "own_batches": batches_of(request.user),
        "known": own_known_tallies(request.user, now=now),
        "recent_profiles": RECENT_PROFILES,
    }
    return render(request, "annotator/own_work/statistics.html", context)


@evaluator_required
@require_safe
def own_reports_page(request: AnnotatorRequest, report: str) -> HttpResponse:
    if report not in Report.values:
        raise Http404
    page = own_reports(request.user, Report(report), request.GET.get("page", "1"))
    return render(request, f"annotator/own_work/{report}.html", {"page": page})
