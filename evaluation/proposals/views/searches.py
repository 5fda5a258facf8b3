"""Searches for subreddits: list them, start one, watch it, repeat, cancel and delete it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.jobs import fragment_context
from annotator.core.sort_order import Sorting
from evaluation.models import SubredditSearch
from evaluation.proposals.forms import SearchForm, initial_of
from evaluation.proposals.queries import (
    SEARCH_COLUMNS,
    proposal_rows,
    readable_searches,
    search_row,
    searches_page,
    shown_exchanges,
)
from evaluation.proposals.services import searches as services

LIST, PAGE = "evaluation/proposals/searches.html", "evaluation/proposals/search.html"
REQUESTED = "The search is queued. This page shows its progress."
NOT_STOPPED = "The search had not stopped, so nothing was asked again."
CANCELLED = "The search was cancelled. What the model answered until then is kept."
DELETED = "The search was deleted. Hints that were accepted stay in the subreddit list."
ENDED_ALREADY = "The search had already ended."


@admin_required
@require_safe
def subreddit_searches(request: AnnotatorRequest) -> HttpResponse:
    """List searches. The list reloads itself while one is live."""
    sorting = Sorting.read(request.GET, SEARCH_COLUMNS, default="requested")
    page = searches_page(sorting, request.GET.get("page", "1"))
    context = {"page": page, "sorting": sorting, "is_live": any(row.job.is_live for row in page)}
    return render(request, f"{LIST}#search-rows" if request.htmx else LIST, context)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_subreddit_search(request: AnnotatorRequest) -> HttpResponse:
    """Ask for the words, starting with those of an earlier search (`like`), and start a search."""
    form = SearchForm(request.POST) if request.method == "POST" else SearchForm(initial=_initial(request))
    if form.is_valid():
        search = services.request_search(**form.cleaned_data, by=request.user)
        messages.success(request, REQUESTED)
        return redirect("evaluation:subreddit_search", search.pk)
    context = {"form": form, "has_endpoints": form.has_endpoints}
    return render(request, "evaluation/proposals/new_search.html", context, status=422 if form.is_bound else 200)


@admin_required
@require_safe
def subreddit_search(request: AnnotatorRequest, search_id: int) -> HttpResponse:
    """The proposals; while the search is live, how far it is."""
    search = find_search(search_id)
    row = search_row(search)
    context: dict[str, Any] = {"search": row, "exchanges": shown_exchanges(search)}
    if request.htmx:
        context |= fragment_context(row.job, request.GET)
        return render(request, f"{PAGE}#progress", context) if row.job.is_live else HttpResponseClientRefresh()
    return render(request, PAGE, context | {"proposals": proposal_rows(search)})


@admin_required
@require_POST
def repeat_subreddit_search(request: AnnotatorRequest, search_id: int) -> HttpResponse:
    if services.ask_again(find_search(search_id)):
        messages.success(request, REQUESTED)
    else:
        messages.info(request, NOT_STOPPED)
    return redirect("evaluation:subreddit_search", search_id)


@admin_required
@require_POST
def cancel_subreddit_search(request: AnnotatorRequest, search_id: int) -> HttpResponse:
    messages.info(request, CANCELLED if services.cancel_search(find_search(search_id)) else ENDED_ALREADY)
    return redirect("evaluation:subreddit_search", search_id)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_subreddit_search(request: AnnotatorRequest, search_id: int) -> HttpResponse:
    """Say what would be deleted, and delete it once the admin has confirmed."""
    search = find_search(search_id)
    if request.method != "POST":
        return render(request, "evaluation/proposals/delete_search.html", {"search": search_row(search)})
    try:
        services.delete_search(search, by=request.user, request=request)
    except services.SearchRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("evaluation:subreddit_search", search.pk)
    messages.success(request, DELETED)
    return redirect("evaluation:subreddit_searches")


def find_search(search_id: int) -> SubredditSearch:
    return get_object_or_404(readable_searches(), pk=search_id)


def _initial(request: AnnotatorRequest) -> dict[str, Any]:
    like = request.GET.get("like", "")
    is_number = like.isascii() and like.isdecimal() and len(like) < 18
    search = SubredditSearch.objects.filter(pk=int(like)).first() if is_number else None
    return initial_of(search) if search else {}
