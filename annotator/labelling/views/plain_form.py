"""The labelling form without JavaScript: eight cards and a button in one POST."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from annotator.core.http import AnnotatorRequest
from annotator.labelling.forms import CardForm, SkipForm, first_problem
from annotator.labelling.services import (
    AssignmentClosed,
    ChangedElsewhere,
    NotInTheComment,
    save_card,
    skip_assignment,
)
from annotator.labelling.submission import Incomplete, NothingInferred, submit_assignment
from annotator.labelling.views.answers import url_after
from annotator.models import Assignment, SkipReason
from profiles.attributes import Attribute


def handle_plain_form(request: AnnotatorRequest, assignment: Assignment) -> HttpResponse:
    """Save every valid card and report the others. If all are saved, do what the button says."""
    try:
        saved = [
            _save(request, assignment, attribute) for attribute in Attribute if f"{attribute}-value" in request.POST
        ]
        if all(saved):
            return _press_button(request, assignment)
    except AssignmentClosed as closed:
        messages.error(request, str(closed))
    return redirect("annotator:label_profile", assignment.pk)


def _save(request: AnnotatorRequest, assignment: Assignment, attribute: Attribute) -> bool:
    form = CardForm(request.POST, attribute=attribute)
    if not form.is_valid():
        messages.error(request, f"{attribute.label} wasn’t saved. {first_problem(form)}")
        return False
    if form.card.is_empty and not form.based_on and not form.card.note:
        return True  # an untouched card doesn't mean "nothing to find" yet
    try:
        save_card(assignment, attribute, form.card, based_on=form.based_on)
    except (ChangedElsewhere, NotInTheComment) as refused:
        messages.error(request, f"{attribute.label} wasn’t saved. {refused}")
        return False
    return True


def _press_button(request: AnnotatorRequest, assignment: Assignment) -> HttpResponse:
    if request.POST.get("do") == "skip":
        return _skip(request, assignment)
    if request.POST.get("do") != "submit":
        messages.success(request, "Saved.")
        return redirect("annotator:label_profile", assignment.pk)
    try:
        submit_assignment(assignment, nothing=request.POST.get("nothing") == "yes", request=request)
    except Incomplete as incomplete:
        for attribute, problem in incomplete.problems.items():
            messages.error(request, f"{attribute.label}: {problem}")
        return redirect("annotator:label_profile", assignment.pk)
    except NothingInferred as empty:
        messages.warning(request, f"{empty} If so, tick “Nothing can be inferred” and submit again.")
        return redirect("annotator:label_profile", assignment.pk)
    return redirect(url_after(request, assignment))


def _skip(request: AnnotatorRequest, assignment: Assignment) -> HttpResponse:
    form = SkipForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_problem(form))
        return redirect("annotator:label_profile", assignment.pk)
    skip_assignment(
        assignment, SkipReason(form.cleaned_data["reason"]), remark=form.cleaned_data["remark"], request=request
    )
    return redirect("annotator:home")
