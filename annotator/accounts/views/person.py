"""A person's page for admins, and its actions."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.accounts import lockout, queries
from annotator.accounts.forms import RolesForm
from annotator.accounts.services import people as services
from annotator.core.access import admin_required
from annotator.core.audit_log import recent_entries
from annotator.core.http import AnnotatorRequest
from annotator.models import Annotator, Role

View = Callable[[AnnotatorRequest, int], HttpResponse]


def explains_refusals(view: View) -> View:
    """Show a refusal as a message on the person's page, where the admin can take the next step."""

    @wraps(view)
    def wrapper(request: AnnotatorRequest, person_id: int) -> HttpResponse:
        try:
            return view(request, person_id)
        except services.ChangeRefused as refusal:
            messages.error(request, str(refusal))
            return redirect("annotator:person", person_id)

    return wrapper


@admin_required
@require_safe
def person(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    return _person_page(request, get_object_or_404(Annotator, pk=person_id))


@admin_required
@require_POST
@explains_refusals
def change_roles(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    annotator, form = get_object_or_404(Annotator, pk=person_id), RolesForm(request.POST)
    if not form.is_valid():
        return _person_page(request, annotator, form=form, status=422)
    roles = form.cleaned_data["roles"]
    services.change_roles(annotator, roles, by=request.user, request=request)
    messages.success(request, f"The roles of {annotator} were saved.")
    gave_up_admin = annotator == request.user and Role.ADMIN not in roles
    return redirect("annotator:home") if gave_up_admin else redirect("annotator:person", person_id)


@admin_required
@require_POST
@explains_refusals
def deactivate_person(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    annotator = get_object_or_404(Annotator, pk=person_id)
    services.deactivate(annotator, by=request.user, request=request)
    messages.success(request, f"{annotator} was deactivated and signed out everywhere. Their work was kept.")
    return redirect("annotator:person", person_id)


@admin_required
@require_POST
def reactivate_person(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    annotator = get_object_or_404(Annotator, pk=person_id)
    services.reactivate(annotator, by=request.user, request=request)
    messages.success(request, f"{annotator} can sign in again.")
    return redirect("annotator:person", person_id)


@admin_required
@require_POST
@never_cache
@explains_refusals
def make_password_link(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    """Show the link in the response itself: it is stored nowhere."""
    annotator = get_object_or_404(Annotator, pk=person_id)
    link = services.make_password_link(annotator, by=request.user, request=request)
    return _person_page(request, annotator, password_link=link)


@admin_required
@require_POST
def lift_lock_out(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    annotator = get_object_or_404(Annotator, pk=person_id)
    services.lift_lock_out(annotator, by=request.user, request=request)
    messages.success(request, f"{annotator} is unlocked and can try to sign in again.")
    return redirect("annotator:person", person_id)


@admin_required
@require_POST
def remove_second_factor(request: AnnotatorRequest, person_id: int) -> HttpResponse:
    annotator = get_object_or_404(Annotator, pk=person_id)
    services.remove_second_factor(annotator, by=request.user, request=request)
    messages.success(
        request, f"{annotator} now signs in with a password alone until they set up a second factor again."
    )
    return redirect("annotator:person", person_id)


def _person_page(
    request: AnnotatorRequest,
    annotator: Annotator,
    *,
    form: RolesForm | None = None,
    password_link: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "person": annotator,
        "form": form or RolesForm(initial={"roles": annotator.roles}),
        "password_link": password_link,
        "roles": queries.role_names(annotator.roles),
        "has_second_factor": queries.has_second_factor(annotator),
        "is_locked_out": lockout.is_locked_out(annotator),
        "entries": recent_entries(annotator),
    }
    return render(request, "annotator/accounts/person.html", context, status=status)
