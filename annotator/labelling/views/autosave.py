"""What the labelling page keeps while somebody works: cards, time, look-ups, flags. Answers are JSON, in words."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import View, seated
from annotator.core.http import AnnotatorRequest
from annotator.labelling.forms import CardForm, FlagForm, LookUpForm, TimeForm, first_problem
from annotator.labelling.queries import CardOnPage, card_on_page, in_hand
from annotator.labelling.services import (
    AssignmentClosed,
    ChangedElsewhere,
    NotInTheComment,
    count_time,
    flag,
    remember_look_up,
    save_card,
)
from annotator.labelling.views.own import own_assignment
from annotator.models import Assignment, Draft, LookUp
from profiles.attributes import Attribute
from profiles.gazetteer import suggest

Saving = Callable[..., HttpResponse]


def refused(problem: str, *, status: int = 422, **more: Any) -> JsonResponse:
    return JsonResponse({"problem": problem, **more}, status=status)


def explained(view: View[[int]] | Saving) -> Saving:
    """What a service refuses becomes a sentence: 409 where somebody else was first, 422 where words are wrong."""

    @wraps(view)
    def guarded(request: AnnotatorRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except AssignmentClosed as closed:
            own_assignment(request, kwargs["assignment_id"])
            return refused(str(closed), status=409, closed=True)
        except ChangedElsewhere as changed:
            return refused(str(changed), status=409, theirs=told(_as_shown(changed.draft)))
        except NotInTheComment as missing:
            return refused(str(missing), evidence=True)

    return guarded


def told(card: CardOnPage) -> dict[str, Any]:
    """A card as the page's script reads it."""
    about = {"version": card.version, "state": card.state.value, "problem": card.problem, "hint": card.hint}
    return card.card.as_json() | about


def _as_shown(draft: Draft | None) -> CardOnPage:
    if draft is None:  # nothing is kept, and yet a version was named: a takedown, or a forged number
        raise AssignmentClosed("This profile is no longer there. Nothing was kept.")
    return card_on_page(Attribute(draft.attribute), draft)


@seated
@require_POST
@explained
def save_answer(request: AnnotatorRequest, assignment_id: int, attribute: str) -> JsonResponse:
    """Keep one card as it stands, finished or not."""
    form = CardForm(request.POST, attribute=Attribute(attribute))
    if not form.is_valid():
        return refused(first_problem(form))
    assignment = in_hand(request.user, int(assignment_id))
    draft = save_card(assignment, Attribute(attribute), form.card, based_on=form.based_on)
    return JsonResponse(told(_as_shown(draft)))


@seated
@require_POST
def count_seconds(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """How long the page was in sight and used."""
    take_seconds(request, own_assignment(request, assignment_id))
    return HttpResponse(status=204)


def take_seconds(request: AnnotatorRequest, assignment: Assignment) -> None:
    """What the page counted so far. What cannot be read is dropped: nobody waits for this."""
    form = TimeForm(request.POST)
    if form.is_valid():
        count_time(assignment, form.cleaned_data["key"], form.cleaned_data["active"], form.cleaned_data["cards"])


@seated
@require_POST
def remember_search(request: AnnotatorRequest, assignment_id: int) -> JsonResponse:
    assignment = own_assignment(request, assignment_id)
    form = LookUpForm(request.POST)
    if not form.is_valid():
        return refused("This look-up could not be noted.")
    service = LookUp.Service(form.cleaned_data["service"])
    remember_look_up(assignment, service, form.cleaned_data["words"])
    return JsonResponse({"service": service.label})


@seated
@require_POST
@explained
def flag_profile(request: AnnotatorRequest, assignment_id: int) -> JsonResponse:
    assignment = own_assignment(request, assignment_id)
    form = FlagForm(request.POST)
    if not form.is_valid():
        return refused(first_problem(form))
    flag(assignment, form.cleaned_data["remark"], comment=form.cleaned_data["comment"], request=request)
    return JsonResponse({"said": "Flagged. An admin will look at it."})


@seated
@require_safe
def suggest_places(request: AnnotatorRequest) -> JsonResponse:
    """Type-ahead for places. Says nothing about any profile, so whoever is signed in may ask."""
    response = JsonResponse({"places": [place.written for place in suggest(request.GET.get("typed", ""))]})
    response["Cache-Control"] = "private, max-age=86400"
    return response
