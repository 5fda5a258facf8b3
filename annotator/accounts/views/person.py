"""One person, as admins see them, and what an admin can do about them."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.accounts import lockout, queries
from annotator.accounts.forms.people import RolesForm
from annotator.accounts.services import people as services
from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.models import Annotator, Role

View = Callable[[AnnotatorRequest, int], HttpResponse]


def explains_refusals(view: View) -> View:
    """A rule that forbids something is told on the person's page, where the next step can be taken."""

    @wraps(view)
    def explained(request: AnnotatorRequest, person_id: int) -> HttpResponse:
        try:
            return view(request, person_id)
        except services.Refused as refusal:
            messages.error(request, str(refusal))
            return redirect("annotator:person", person_id)

    return explained


@admin_required
@require_safe
def person(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    return _person_page(request, get_object_or_404(Annotator, pk=person_id))


@admin_required
@require_POST
@explains_refusals
def change_roles(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    shown, form = get_object_or_404(Annotator, pk=person_id), RolesForm(request.POST)
    if not form.is_valid():
        return _person_page(request, shown, form=form, status=422)
    roles = form.cleaned_data["roles"]
    services.change_roles(shown, roles, by=request.user, request=request)
    messages.success(request, f"The roles of {shown} were saved.")
    gave_up_admin = shown == request.user and Role.ADMIN not in roles
    return redirect("annotator:home") if gave_up_admin else redirect("annotator:person", person_id)


@admin_required
@require_POST
@explains_refusals
def deactivate_person(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    shown = get_object_or_404(Annotator, pk=person_id)
    services.deactivate(shown, by=request.user, request=request)
    messages.success(request, f"{shown} was deactivated and signed out everywhere. Their work was kept.")
    return redirect("annotator:person", person_id)


@admin_required
@require_POST
def reactivate_person(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    shown = get_object_or_404(Annotator, pk=person_id)
    services.reactivate(shown, by=request.user, request=request)
    messages.success(request, f"{shown} can sign in again.")
    return redirect("annotator:person", person_id)


@admin_required
@require_POST
@never_cache
@explains_refusals
def make_password_link(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    """Answers with the link itself: it is shown once and kept nowhere."""
    shown = get_object_or_404(Annotator, pk=person_id)
    link = services.make_password_link(shown, by=request.user, request=request)
    return _person_page(request, shown, password_link=link)


@admin_required
@require_POST
def lift_lock_out(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    shown = get_object_or_404(Annotator, pk=person_id)
    services.lift_lock_out(shown, by=request.user, request=request)
    messages.success(request, f"The lock-out was lifted. {shown} can try to sign in again now.")
    return redirect("annotator:person", person_id)


@admin_required
@require_POST
def remove_second_factor(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    shown = get_object_or_404(Annotator, pk=person_id)
    services.remove_second_factor(shown, by=request.user, request=request)
    messages.success(request, f"{shown} now signs in with the password alone, until they add a second factor again.")
    return redirect("annotator:person", person_id)


def _person_page(
    request: AnnotatorRequest,
    shown: Annotator,
    *,
    form: RolesForm | None = None,
    password_link: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "person": shown,
        "form": form or RolesForm(initial={"roles": shown.roles}),
        "password_link": password_link,
        "roles": queries.role_names(shown.roles),
        "has_second_factor": queries.has_second_factor(shown),
        "is_locked_out": lockout.is_locked_out(shown),
        "entries": queries.recent_entries(shown),
    }
    return render(request, "annotator/accounts/person.html", context, status=status)
