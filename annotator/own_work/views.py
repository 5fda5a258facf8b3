"""An evaluator's own pages: the welcome, statistics, and what became of flags, skips and notes."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotator.batches.queries.progress import batches_of
from annotator.core.access import role_required
from annotator.core.http import AnnotatorRequest
from annotator.core.parameters import read_number
from annotator.core.sort_order import Sorting
from annotator.guidelines.queries import newest_version
from annotator.guidelines.services import confirm_reading
from annotator.guidelines.text import read_guidelines
from annotator.labelling.queries import own_assignment
from annotator.models import Assignment, GuidelineVersion, Role
from annotator.own_work.queries.reports import REPORT_COLUMNS, Report, own_reports
from annotator.own_work.queries.statistics import RECENT_PROFILES, own_statistics, profile_duration
from annotator.quality.queries.known_profiles import own_known_tallies

evaluator_required = role_required(Role.EVALUATOR)


@evaluator_required
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: AnnotatorRequest) -> HttpResponse:
    """What the study is, what is private, and the guidelines. Confirming them leads to the profile, or home."""
    number = read_number(request.GET.get("assignment"))
    assignment = own_assignment(request.user, number) if number else None
    guideline = _guideline_for(assignment)
    if request.method != "POST":
        return render(request, "annotator/own_work/welcome.html", _welcome_context(assignment, guideline))
    if guideline is not None:
        confirm_reading(request.user, guideline, request=request)
    return redirect("annotator:label_profile", assignment.pk) if assignment else redirect("annotator:home")


def _guideline_for(assignment: Assignment | None) -> GuidelineVersion | None:
    """The version of the profile's batch, or the newest. 1 query."""
    if assignment is None or assignment.batch.guideline is None:
        return newest_version()
    return GuidelineVersion.objects.get(number=assignment.batch.guideline.number)


def _welcome_context(assignment: Assignment | None, guideline: GuidelineVersion | None) -> dict[str, Any]:
    batch = assignment.batch if assignment else None
    guidelines = read_guidelines(guideline.text) if guideline else None
    return {"batch": batch, "version": guideline, "guidelines": guidelines, "duration": profile_duration(batch)}


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
    chosen = Report(report)
    sorting = Sorting.read(request.GET, REPORT_COLUMNS[chosen], default="when")
    page = own_reports(request.user, chosen, sorting, request.GET.get("page", "1"))
    return render(request, f"annotator/own_work/{report}.html", {"report": chosen, "page": page, "sorting": sorting})
