"""One's own account, and the two pages of the sign-in library that work differently here."""

from allauth.account.decorators import reauthentication_required
from allauth.account.views import password_reset
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotator.accounts import queries
from annotator.accounts.forms.people import TAKEN, AccountForm
from annotator.accounts.services import people as services
from annotator.core.http import AnnotatorRequest
from annotator.models import Annotator


def changes_address(request: AnnotatorRequest) -> bool:
    """A new address could be sent a new password: whoever sets it must know the present one."""
    typed = request.POST.get("email", "").strip().lower()
    return request.method == "POST" and typed != request.user.email.lower()


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(enabled=changes_address)  # type: ignore[untyped-decorator]
def account(request: AnnotatorRequest) -> HttpResponse:
    mine = Annotator.objects.get(pk=request.user.pk)  # a refused form must not rename the person in the header
    form = AccountForm(request.POST or None, instance=mine)
    if request.method == "POST" and form.is_valid():
        try:
            services.update_account(mine, request=request)
        except services.AddressTaken:
            form.add_error("email", TAKEN)
        else:
            messages.success(request, "Your account was saved.")
            return redirect("annotator:account")
    return _account_page(request, form)


def reset_password(request: HttpRequest) -> HttpResponse:
    """By mail where mail is set up; elsewhere an admin makes the link."""
    if settings.MAIL_IS_CONFIGURED:
        response: HttpResponse = password_reset(request)
        return response
    return render(request, "account/password_reset_by_admin.html")


@login_required
def own_addresses(request: HttpRequest) -> HttpResponse:
    """The library keeps a list of addresses; here a person has one, on the account page."""
    return redirect("annotator:account")


def _account_page(request: AnnotatorRequest, form: AccountForm) -> HttpResponse:
    context = {
        "form": form,
        "roles": queries.role_names(request.user.roles),
        "has_second_factor": queries.has_second_factor(request.user),
        "sign_ins": queries.recent_sign_ins(request.user),
    }
    return render(request, "annotator/accounts/account.html", context, status=422 if form.errors else 200)
