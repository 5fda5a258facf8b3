"""The list of people, and invitations."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.accounts import links, queries
from annotator.accounts.forms import InvitationForm
from annotator.accounts.services import invitations as services
from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.parameters import read_number
from annotator.core.sort_order import Sorting
from annotator.models import Invitation


@admin_required
@require_safe
@never_cache
def people(request: AnnotatorRequest) -> HttpResponse:
    return _people_page(request, InvitationForm())


@admin_required
@require_POST
def invite(request: AnnotatorRequest) -> HttpResponse:
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _people_page(request, form, status=422)
    invitation = services.create_invitation(**form.cleaned_data, by=request.user, request=request)
    return redirect(f"{reverse('annotator:people')}?invitation={invitation.pk}")


@admin_required
@require_POST
def revoke_invitation(request: AnnotatorRequest, invitation_id: int) -> HttpResponse:
    get_object_or_404(Invitation, pk=invitation_id)
    try:
        services.revoke_invitation(invitation_id, by=request.user, request=request)
        messages.success(request, "The invitation was revoked. Its link no longer works.")
    except services.InvitationClosed:
        messages.info(request, "This invitation was already closed. Nothing was changed.")
    return redirect("annotator:people")


def _people_page(request: AnnotatorRequest, form: InvitationForm, status: int = 200) -> HttpResponse:
    sorting = Sorting.read(request.GET, queries.PEOPLE_COLUMNS, default="state")
    context = {
        "form": form,
        "page": queries.people_page(sorting, request.GET.get("page", "1")),
        "sorting": sorting,
        "invitations": queries.open_invitations(),
        "link": _requested_link(request),
    }
    return render(request, "annotator/accounts/people.html", context, status=status)


def _requested_link(request: AnnotatorRequest) -> str:
    """The link of an invitation that was just created, or that an admin wants to see again."""
    number = read_number(request.GET.get("invitation"))
    invitation = Invitation.objects.open().filter(pk=number).first() if number else None
    return links.invitation_link(invitation, links.base_url(request)) if invitation else ""
