"""Requests of the labelling page besides saving: count time, record look-ups and flags, suggest places."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import script_login_required
from annotator.core.http import AnnotatorRequest
from annotator.labelling.forms import FlagForm, LookUpForm, first_problem
from annotator.labelling.queries import own_assignment
from annotator.labelling.services import flag, record_look_up
from annotator.labelling.views.answers import explained, refused, save_seconds
from annotator.models import LookUp
from profiles.gazetteer import suggest


@script_login_required
@require_POST
def count_seconds(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """Save how long the page was visible and used."""
    save_seconds(request, own_assignment(request.user, assignment_id))
    return HttpResponse(status=204)


@script_login_required
@require_POST
def remember_search(request: AnnotatorRequest, assignment_id: int) -> JsonResponse:
    assignment = own_assignment(request.user, assignment_id)
    form = LookUpForm(request.POST)
    if not form.is_valid():
        return refused("This look-up couldn’t be recorded.")
    service = LookUp.Service(form.cleaned_data["service"])
    words, attribute = form.cleaned_data["words"], form.cleaned_data["attribute"]
    record_look_up(assignment, service, words, attribute=attribute)
    return JsonResponse({"service": service.label})


@script_login_required
@require_POST
@explained
def flag_profile(request: AnnotatorRequest, assignment_id: int) -> JsonResponse:
    assignment = own_assignment(request.user, assignment_id)
    form = FlagForm(request.POST)
    if not form.is_valid():
        return refused(first_problem(form))
    flag(assignment, form.cleaned_data["remark"], comment=form.cleaned_data["comment"], request=request)
    return JsonResponse({"said": "Flagged. An admin will look at it."})


@script_login_required
@require_safe
def suggest_places(request: AnnotatorRequest) -> JsonResponse:
    """Suggest places while somebody types. Reveals nothing about profiles, so everybody signed in may use it."""
    response = JsonResponse({"places": [place.written for place in suggest(request.GET.get("typed", ""))]})
    response["Cache-Control"] = "private, max-age=86400"
    return response


@require_safe
def session(request: AnnotatorRequest) -> JsonResponse:
    """Who is signed in, and a fresh CSRF token, for pages whose session may have ended."""
    person: Any = request.user.pk if request.user.is_authenticated else None
    response = JsonResponse({"person": person, "csrf": get_token(request)})
    response["Cache-Control"] = "no-store"
    return response
