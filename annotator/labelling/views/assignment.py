"""From one profile to the next: continue a batch, submit, reopen."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from annotator.batches.claims import prepare_next
from annotator.batches.queries.progress import labellable_batches
from annotator.core.access import seated
from annotator.core.http import AnnotatorRequest
from annotator.labelling.forms import SkipForm, first_problem
from annotator.labelling.services import AssignmentClosed, skip_assignment
from annotator.labelling.submission import Incomplete, NothingSaid, reopen_assignment, submit_assignment
from annotator.labelling.views.autosave import explained, refused, take_seconds
from annotator.labelling.views.next_page import after, where_next
from annotator.labelling.views.own import own_assignment
from annotator.labelling.views.page import workspace_context
from annotator.models import Assignment, SkipReason, State
from profiles.attributes import Attribute


@login_required
@require_POST
def continue_batch(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    """To the profile at hand, or the next one."""
    batch = get_object_or_404(labellable_batches(request.user), pk=batch_id)
    return redirect(where_next(request, batch))


@seated
@require_POST
@explained
def submit_profile(request: AnnotatorRequest, assignment_id: int) -> JsonResponse:
    """Seal the profile and say where to go. Submitting twice is as good as once."""
    assignment = own_assignment(request, assignment_id)
    assignment.annotator = request.user
    take_seconds(request, assignment)  # the last ones come with the submit: none is missing in what is sealed
    if assignment.state is not State.SUBMITTED:
        problem = _submit(request, assignment)
        if problem is not None:
            return problem
    return JsonResponse({"next": after(request, assignment)})


def _submit(request: AnnotatorRequest, assignment: Assignment) -> JsonResponse | None:
    try:
        submit_assignment(
            assignment, nothing=request.POST.get("nothing") == "yes", seen=_seen(request), request=request
        )
    except Incomplete as incomplete:
        return refused(str(incomplete), problems={key.value: said for key, said in incomplete.problems.items()})
    except NothingSaid as nothing:
        return refused(str(nothing), nothing=True)
    return None


def _seen(request: AnnotatorRequest) -> dict[str, int]:
    """The version of each card as the page shows it; what is not a number was never seen."""
    versions = {attribute: request.POST.get(f"{attribute}-version", "") for attribute in Attribute.values}
    return {attribute: int(n) for attribute, n in versions.items() if n.isascii() and n.isdigit() and len(n) < 10}


@seated
@require_POST
@explained
def skip_profile(request: AnnotatorRequest, assignment_id: int) -> JsonResponse:
    """Back to the admin, with a reason; on to the next."""
    assignment = own_assignment(request, assignment_id)
    form = SkipForm(request.POST)
    if not form.is_valid():
        return refused(first_problem(form))
    reason = SkipReason(form.cleaned_data["reason"])
    skip_assignment(assignment, reason, remark=form.cleaned_data["remark"], request=request)
    return JsonResponse({"next": where_next(request, assignment.batch)})


@seated
@gzip_page
@require_safe
def next_profile(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """The page of the profile after this one, to be got ready while this one is labelled."""
    assignment = own_assignment(request, assignment_id)
    if assignment.batch.is_practice:
        return HttpResponse(status=204)
    following = prepare_next(batch=assignment.batch, annotator=request.user)
    if following is None:
        return HttpResponse(status=204)
    following.batch, following.annotator = assignment.batch, request.user
    context = workspace_context(request, following, before=assignment)
    return render(request, "annotator/labelling/label_profile.html#workspace", context)


@login_required
@require_POST
def reopen_profile(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    assignment = own_assignment(request, assignment_id)
    try:
        reopen_assignment(assignment, request=request)
    except AssignmentClosed as closed:
        messages.error(request, str(closed))
    return redirect("annotator:label_profile", assignment.pk)


@require_safe
def session(request: AnnotatorRequest) -> JsonResponse:
    """Who is signed in, and the token for writing: for a page whose session may have ended under it."""
    person: Any = request.user.pk if request.user.is_authenticated else None
    response = JsonResponse({"person": person, "csrf": get_token(request)})
    response["Cache-Control"] = "no-store"
    return response
