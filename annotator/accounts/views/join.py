"""The page behind an invitation link: choose a name and a password, and be signed in."""

from allauth.account.utils import perform_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotator.accounts.forms import JoinForm
from annotator.accounts.links import find_invitation
from annotator.accounts.services import invitations
from annotator.models import Invitation

USED = "Its link has already been used, and it works only once. If you used it, sign in to your account."
REVOKED = "It was revoked. Nothing was changed. If you think this is a mistake, ask the person who invited you."
EXPIRED = "It has expired. Nothing was changed. Ask the person who invited you for a new link."


@never_cache
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    invitation = find_invitation(token)
    if invitation is None:
        return render(request, "annotator/accounts/join_unknown.html", status=404)
    if request.user.is_authenticated:
        return render(request, "annotator/accounts/join_signed_in.html", status=409)
    if not Invitation.objects.open().filter(pk=invitation.pk).exists():
        return _closed_page(request, invitation)
    form = JoinForm(request.POST or None, initial={"email": invitation.email})
    return _accept(request, invitation, form) if request.method == "POST" else _join_page(request, form)


def _accept(request: HttpRequest, invitation: Invitation, form: JoinForm) -> HttpResponse:
    if not form.is_valid():
        return _join_page(request, form, status=422)
    annotator = form.save(commit=False)
    try:
        invitations.accept_invitation(invitation, annotator, request=request)
    except invitations.InvitationClosed:
        invitation.refresh_from_db()
        return _closed_page(request, invitation)
    except invitations.NameTaken:
        form.add_error(None, "Someone has just taken this user name or e-mail address. Choose another.")
        return _join_page(request, form, status=422)
    response: HttpResponse = perform_login(
        request, annotator, redirect_url=reverse("annotator:home"), signal_kwargs={"method": "invitation"}
    )
    return response


def _join_page(request: HttpRequest, form: JoinForm, status: int = 200) -> HttpResponse:
    return render(request, "annotator/accounts/join.html", {"form": form}, status=status)


def _closed_page(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Explain with status 410 why the link is closed: the person who holds it did nothing wrong."""
    return render(request, "annotator/accounts/join_closed.html", {"reason": _why_closed(invitation)}, status=410)


def _why_closed(invitation: Invitation) -> str:
    if invitation.used_at:
        return USED
    return REVOKED if invitation.revoked_at else EXPIRED
