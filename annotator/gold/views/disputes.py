"""The queue of what must be decided, and the way through it."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.gold.forms.adjudication import LeftForm, QueueForm
from annotator.gold.queries import disputes as queries
from annotator.gold.services.builds import request_stale_builds
from annotator.gold.services.leases import give_back, record_view, take_lease
from profiles.models import Profile

FILTERS = ("corpus", "batch", "attribute", "kind")
SKIPPED = "adjudication_skipped"  # in the session: for now, and for this person
MOST_SKIPPED = 200


@admin_required
@require_safe
def adjudication(request: AnnotatorRequest) -> HttpResponse:
    """What is disputed, worst first. While it is being worked out the page asks for itself again."""
    form = QueueForm(request.GET)
    form.is_valid()  # a filter that makes no sense is told, and left out
    wanted = form.cleaned_data
    standings = queries.standings(request_stale_builds(wanted.get("corpus")), wanted.get("corpus"))
    context = {
        "form": form, "page": queries.disputes(wanted, request.GET.get("page", "1"), request.user),
        "counts": queries.counts(wanted), "standings": standings, "query": kept_filters(request.GET),
        "is_working": any(one.is_running or one.is_waiting for one in standings),
    }  # fmt: skip
    template = "annotator/gold/adjudication.html"
    return render(request, f"{template}#queue" if request.htmx else template, context)


@admin_required
@require_POST
def next_dispute(request: AnnotatorRequest) -> HttpResponse:
    """On to the worst profile that nobody else has open. What is left is given back."""
    form = LeftForm(request.POST)
    left = form.cleaned_data["left"] if form.is_valid() else None
    if left is not None:
        give_back(left, request.user)
        _remember_skipped(request, left, is_skipped=form.cleaned_data["skip"])
    return redirect(where_next(request, but=left))


def where_next(request: AnnotatorRequest, but: Profile | None) -> str:
    """The address of the next profile, now ours; of the queue when there is none."""
    wanted, query = _wanted(request), kept_filters(request.GET)
    skipped = request.session.get(SKIPPED, [])
    for profile in queries.next_profiles(wanted, request.user, [*skipped, but.pk] if but else skipped):
        lease = take_lease(profile, request.user)
        if lease.is_mine:
            record_view(profile, lease, request.user, request)
            return f"{reverse('annotator:adjudicate', args=[profile.pk])}?{query}"
    messages.info(request, _why_nothing(bool(skipped)))
    request.session.pop(SKIPPED, None)
    return f"{reverse('annotator:adjudication')}?{query}"


def kept_filters(given: QueryDict) -> str:
    """What narrows the queue, for the next address; ends in “&” when there is something."""
    kept = urlencode({name: given[name] for name in FILTERS if given.get(name)})
    return f"{kept}&" if kept else ""


def _remember_skipped(request: AnnotatorRequest, left: Profile, *, is_skipped: bool) -> None:
    if is_skipped:
        skipped = [pk for pk in request.session.get(SKIPPED, []) if pk != left.pk]
        request.session[SKIPPED] = [*skipped, left.pk][-MOST_SKIPPED:]


def _wanted(request: AnnotatorRequest) -> dict[str, Any]:
    form = QueueForm(request.GET)
    form.is_valid()
    return form.cleaned_data


def _why_nothing(has_skipped: bool) -> str:
    if has_skipped:
        return "Nothing else is left that you have not skipped. What you skipped is in the queue again."
    return "Nothing else is left that nobody has open."
