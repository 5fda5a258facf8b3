"""The dispute queue, and moving from one profile to the next."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from annotator.gold.forms.adjudication import NextForm, QueueForm
from annotator.gold.queries import disputes as queries
from annotator.gold.queries.adjudication import last_decision
from annotator.gold.queries.builds import build_progress
from annotator.gold.queries.decisions import DECISION_COLUMNS, standing_decisions
from annotator.gold.services.builds import request_stale_builds
from annotator.gold.services.leases import acquire_lease, record_view, release_lease
from profiles.models import Profile

FILTERS = ("corpus", "batch", "attribute", "kind")
SKIPPED = "adjudication_skipped"  # session key
MAX_SKIPPED = 200


@admin_required
@require_safe
def adjudication(request: AnnotatorRequest) -> HttpResponse:
    """Disputes, most severe first. The page polls while gold is being built."""
    form = QueueForm(request.GET)
    form.is_valid()  # an invalid filter is reported and ignored
    filters = form.cleaned_data
    builds = build_progress(request_stale_builds(filters.get("corpus")), filters.get("corpus"))
    sorting = Sorting.read(request.GET, queries.DISPUTE_COLUMNS, default="severity")
    page = queries.disputes(filters, sorting, request.GET.get("page", "1"), request.user)
    context = {
        "form": form, "page": page, "sorting": sorting,
        "counts": queries.counts(filters), "builds": builds, "query": filter_query(request.GET),
        "is_live": any(build.is_running or build.is_waiting for build in builds),
    }  # fmt: skip
    template = "annotator/gold/adjudication.html"
    if request.htmx:
        return render(request, f"{template}#queue", context)
    return render(request, template, context | {"last_decision": last_decision(request.user)})


@admin_required
@require_safe
def decisions(request: AnnotatorRequest) -> HttpResponse:
    """Decisions that stand, of all adjudicators, each with a way to undo it."""
    sorting = Sorting.read(request.GET, DECISION_COLUMNS, default="when")
    page = standing_decisions(sorting, request.GET.get("page", "1"), request.user)
    context = {"name": "Decisions", "page": page, "sorting": sorting}
    return render(request, "annotator/gold/decisions.html", context)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def next_dispute(request: AnnotatorRequest) -> HttpResponse:
    """Release the current profile and redirect to the most severe one that nobody else has open.

    People come here by GET after signing in again, or with a link. HEAD takes nothing.
    """
    if request.method == "HEAD":
        return HttpResponse()
    form = NextForm(request.POST)
    left = form.cleaned_data["left"] if form.is_valid() else None
    if left is not None:
        release_lease(left, request.user)
        _remember_skipped(request, left, is_skipped=form.cleaned_data["skip"])
    return redirect(next_address(request, leaving=left))


def next_address(request: AnnotatorRequest, leaving: Profile | None) -> str:
    """Acquire the next profile and return its address, or the address of the queue if no profile is left."""
    filters, query = _filters(request), filter_query(request.GET)
    skipped = request.session.get(SKIPPED, [])
    for profile in queries.next_profiles(filters, request.user, [*skipped, leaving.pk] if leaving else skipped):
        lease = acquire_lease(profile, request.user)
        if lease.is_mine:
            record_view(profile, lease, request.user, request)
            return f"{reverse('annotator:adjudicate', args=[profile.pk])}?{query}"
    messages.info(request, _why_nothing(bool(skipped)))
    request.session.pop(SKIPPED, None)
    return f"{reverse('annotator:adjudication')}?{query}"


def filter_query(parameters: QueryDict) -> str:
    """The filters as a query string for the next address. Ends with “&” unless it is empty."""
    query = urlencode({name: parameters[name] for name in FILTERS if parameters.get(name)})
    return f"{query}&" if query else ""


def page_query(parameters: QueryDict) -> str:
    """The filters, and whether names are shown, for links back to the same page."""
    return filter_query(parameters) + ("names=shown&" if "names" in parameters else "")


def _remember_skipped(request: AnnotatorRequest, left: Profile, *, is_skipped: bool) -> None:
    if is_skipped:
        skipped = [pk for pk in request.session.get(SKIPPED, []) if pk != left.pk]
        request.session[SKIPPED] = [*skipped, left.pk][-MAX_SKIPPED:]


def _filters(request: AnnotatorRequest) -> dict[str, Any]:
    form = QueueForm(request.GET)
    form.is_valid()
    return form.cleaned_data


def _why_nothing(has_skipped: bool) -> str:
    if has_skipped:
        return "You’ve skipped everything that was left. The skipped profiles are back in the queue."
    return "There are no more profiles to decide right now."
