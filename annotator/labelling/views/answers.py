"""Save, submit, skip and reopen a profile, and move on to the next one. Scripts get JSON with a message."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotator.batches.claims import PracticeFirst, claim_next
from annotator.batches.queries.progress import labellable_batches
from annotator.core.access import View, script_login_required
from annotator.core.http import AnnotatorRequest
from annotator.core.parameters import read_number
from annotator.labelling.cards import CardOnPage, card_on_page
from annotator.labelling.forms import CardForm, SkipForm, TimeForm, first_problem
from annotator.labelling.queries import own_assignment
from annotator.labelling.services import (
    AssignmentClosed,
    ChangedElsewhere,
    NotInTheComment,
    count_time,
    save_card,
    skip_assignment,
)
from annotator.labelling.submission import Incomplete, NothingInferred, reopen_assignment, submit_assignment
from annotator.models import Assignment, Batch, Draft, SkipReason, State
from annotator.quality.services.practice import start_practice
from profiles.attributes import Attribute

BATCH_CLOSED = "The batch “{name}” is closed. What you submitted is kept."
BATCH_PAUSED = "The batch “{name}” is paused. When it resumes, you can continue where you left off."
BATCH_FINISHED = "You’ve finished “{name}”. Thank you!"
PROFILE_GONE = "This profile no longer exists. Your change wasn’t saved."


def refused(problem: str, *, status: int = 422, **more: Any) -> JsonResponse:
    return JsonResponse({"problem": problem, **more}, status=status)


def explained(view: View[[int]] | Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Turn the services' exceptions into JSON: 409 if something changed first, 422 if the evidence doesn't match."""

    @wraps(view)
    def guarded(request: AnnotatorRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except AssignmentClosed as closed:
            assignment = own_assignment(request.user, kwargs["assignment_id"])
            return refused(str(closed), status=409, closed=True, can_reopen=_can_reopen(assignment))
        except ChangedElsewhere as changed:
            return refused(str(changed), status=409, theirs=_as_json(_saved_card(changed.draft)))
        except NotInTheComment as missing:
            return refused(str(missing), evidence=True)

    return guarded


def _can_reopen(assignment: Assignment) -> bool:
    return assignment.state is State.SUBMITTED and assignment.batch.closed_at is None


@script_login_required
@require_POST
@explained
def save_answer(request: AnnotatorRequest, assignment_id: int, attribute: str) -> JsonResponse:
    """Save one card as it is, finished or not."""
    form = CardForm(request.POST, attribute=Attribute(attribute))
    if not form.is_valid():
        return refused(first_problem(form))
    # Don't read it from the database: locking it checks that it is theirs.
    assignment = Assignment(pk=int(assignment_id), annotator=request.user)
    draft = save_card(assignment, Attribute(attribute), form.card, based_on=form.based_on)
    return JsonResponse(_as_json(_saved_card(draft)))


def _saved_card(draft: Draft | None) -> CardOnPage:
    if draft is None:  # nothing is saved although the page sent a version: a takedown, or a forged number
        raise AssignmentClosed(PROFILE_GONE)
    return card_on_page(Attribute(draft.attribute), draft)


def _as_json(card: CardOnPage) -> dict[str, Any]:
    status = {"version": card.version, "state": card.state.value, "problem": card.problem, "hint": card.hint}
    return card.card.as_json() | status


@script_login_required
@require_POST
@explained
def submit_profile(request: AnnotatorRequest, assignment_id: int) -> JsonResponse:
    """Submit the profile and return the next address. Submitting twice has the same effect as once."""
    assignment = own_assignment(request.user, assignment_id)
    assignment.annotator = request.user
    save_seconds(request, assignment)  # the submission brings the last seconds along
    if assignment.state is not State.SUBMITTED:
        problem = _submit(request, assignment)
        if problem is not None:
            return problem
    return JsonResponse({"next": url_after(request, assignment, holds_none=assignment.submitted_at is None)})


def _submit(request: AnnotatorRequest, assignment: Assignment) -> JsonResponse | None:
    nothing, versions = request.POST.get("nothing") == "yes", _shown_versions(request)
    try:
        submit_assignment(assignment, nothing=nothing, shown_versions=versions, request=request)
    except Incomplete as incomplete:
        return refused(str(incomplete), problems={key.value: text for key, text in incomplete.problems.items()})
    except NothingInferred as empty:
        return refused(str(empty), nothing=True)
    return None


def _shown_versions(request: AnnotatorRequest) -> dict[str, int]:
    """The version of each card on the page, without anything that isn't a number."""
    versions = {attribute: read_number(request.POST.get(f"{attribute}-version")) for attribute in Attribute.values}
    return {attribute: version for attribute, version in versions.items() if version is not None}


def save_seconds(request: AnnotatorRequest, assignment: Assignment) -> None:
    """Save the seconds that the page counted. Ignore invalid input: the page doesn't wait for an answer."""
    form = TimeForm(request.POST)
    if form.is_valid():
        count_time(assignment, form.cleaned_data["key"], form.cleaned_data["active"], form.cleaned_data["cards"])


@script_login_required
@require_POST
@explained
def skip_profile(request: AnnotatorRequest, assignment_id: int) -> JsonResponse:
    """Return the profile to the admins with a reason, and go to the next one."""
    assignment = own_assignment(request.user, assignment_id)
    form = SkipForm(request.POST)
    if not form.is_valid():
        return refused(first_problem(form))
    reason = SkipReason(form.cleaned_data["reason"])
    skip_assignment(assignment, reason, remark=form.cleaned_data["remark"], request=request)
    return JsonResponse({"next": next_url(request, assignment.batch)})


@login_required
@require_POST
def reopen_profile(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """Reopen a submitted profile. Scripts ask for JSON and stay on their page."""
    assignment = own_assignment(request.user, assignment_id)
    is_script = request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    try:
        reopen_assignment(assignment, request=request)
    except AssignmentClosed as closed:
        if is_script:
            return refused(str(closed), status=409, closed=True, can_reopen=False)
        messages.error(request, str(closed))
    if is_script:
        return JsonResponse({"reopened": True})
    return redirect("annotator:label_profile", assignment.pk)


@login_required
@require_POST
def continue_batch(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    """Redirect to the profile that the annotator holds, or to the next one."""
    batch = get_object_or_404(labellable_batches(request.user), pk=batch_id)
    start_practice(batch, request.user)
    return redirect(next_url(request, batch))


def url_after(request: AnnotatorRequest, assignment: Assignment, *, holds_none: bool = False) -> str:
    """The address of the feedback in practice batches, otherwise of the next profile."""
    if assignment.batch.is_practice:
        return reverse("annotator:practice", args=[assignment.pk])
    return next_url(request, assignment.batch, holds_none=holds_none)


def next_url(request: AnnotatorRequest, batch: Batch, *, holds_none: bool = False) -> str:
    """The address of the next profile, or of a page whose message says why there is none."""
    try:
        assignment = claim_next(batch=batch, annotator=request.user, holds_none=holds_none)
    except PracticeFirst as first:
        messages.warning(request, str(first))
        return reverse("annotator:home")
    if assignment is not None:
        return reverse("annotator:label_profile", args=[assignment.pk])
    messages.success(request, _why_nothing(batch).format(name=batch.name))
    return reverse("annotator:batch", args=[batch.pk])


def _why_nothing(batch: Batch) -> str:
    if batch.closed_at:
        return BATCH_CLOSED
    return BATCH_PAUSED if batch.paused_at else BATCH_FINISHED
