"""Accept and reject proposals, and undo a decision. Each answers with the row alone, or by going back to the page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from annotator.core.access import admin_required
from annotator.core.formatting import plural
from annotator.core.http import AnnotatorRequest
from evaluation.models import SubredditProposal
from evaluation.proposals.queries import proposal_rows, search_row
from evaluation.proposals.services import decisions as services
from evaluation.proposals.views.searches import PAGE, find_search

DECIDED_ALREADY = "{who} had already {decision} r/{name}. Nothing was changed."
HINT_CHANGED = (
    "Somebody has since changed the hint of r/{name}, so it was kept. You can remove it on the Subreddits page."
)


@admin_required
@require_POST
def accept_proposal(request: AnnotatorRequest, proposal_id: int) -> HttpResponse:
    _find(proposal_id)
    result = services.accept_proposal(proposal_id, by=request.user, request=request)
    return _answer(request, result.proposal, _note(request, result, SubredditProposal.Decision.ACCEPTED))


@admin_required
@require_POST
def reject_proposal(request: AnnotatorRequest, proposal_id: int) -> HttpResponse:
    _find(proposal_id)
    result = services.reject_proposal(proposal_id, by=request.user)
    return _answer(request, result.proposal, _note(request, result, SubredditProposal.Decision.REJECTED))


@admin_required
@require_POST
def undo_decision(request: AnnotatorRequest, proposal_id: int) -> HttpResponse:
    proposal = _find(proposal_id)
    try:
        services.undo_decision(proposal_id, by=request.user, request=request)
    except services.HintChanged:
        return _answer(request, proposal, HINT_CHANGED.format(name=proposal.name))
    return _answer(request, proposal, "")


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def accept_certain(request: AnnotatorRequest, search_id: int) -> HttpResponse:
    """Show what would be accepted, and accept it once the admin has confirmed."""
    search = find_search(search_id)
    if request.method == "POST":
        accepted = services.accept_certain(search, by=request.user, request=request)
        messages.success(request, f"{plural(accepted, 'subreddit was', 'subreddits were')} accepted.")
        return redirect("evaluation:subreddit_search", search_id)
    certain = [row for row in proposal_rows(search) if row.is_open and row.is_certain]
    context = {"search": search_row(search), "proposals": certain}
    return render(request, "evaluation/proposals/accept_certain.html", context)


def _find(proposal_id: int) -> SubredditProposal:
    return get_object_or_404(SubredditProposal, pk=proposal_id)


def _note(request: AnnotatorRequest, result: services.Result, decision: SubredditProposal.Decision) -> str:
    """What to tell a person who came second. Nothing for their own double click."""
    proposal = result.proposal
    is_own = proposal.decision == decision and proposal.decided_by == request.user
    if result.is_changed or is_own:
        return ""
    who = proposal.decided_by.display_name if proposal.decided_by else "The command line"
    return DECIDED_ALREADY.format(who=who, decision=proposal.decision, name=proposal.name)


def _answer(request: AnnotatorRequest, proposal: SubredditProposal, note: str) -> HttpResponse:
    if not request.htmx:
        if note:
            messages.warning(request, note)
        page = reverse("evaluation:subreddit_search", args=[proposal.search_id])
        return redirect(f"{page}#proposal-{proposal.pk}")
    search = find_search(proposal.search_id)
    (row,) = proposal_rows(search, proposal.pk)
    context = {"search": search_row(search), "row": row, "note": note, "is_fragment": True}
    return render(request, f"{PAGE}#decided", context)
