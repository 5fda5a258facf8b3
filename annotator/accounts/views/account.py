"""The user's own account page, and replacements for two pages of allauth."""

from allauth.account.decorators import reauthentication_required
from allauth.account.views import password_reset
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from annotator.accounts import queries
from annotator.accounts.forms import ADDRESS_TAKEN, AccountForm, PreferencesForm
from annotator.accounts.services import people as services
from annotator.core.audit_log import recent_sign_ins
from annotator.core.http import AnnotatorRequest, safe_path
from annotator.models import Annotator


def changes_address(request: AnnotatorRequest) -> bool:
    """Whether the form changes the address. That requires the password, because password links go there."""
    address = request.POST.get("email", "").strip().lower()
    return request.method == "POST" and address != request.user.email.lower()


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(enabled=changes_address)  # type: ignore[untyped-decorator]
def account(request: AnnotatorRequest) -> HttpResponse:
    annotator = Annotator.objects.get(
        pk=request.user.pk
    )  # a copy: a refused form must not rename the person in the header
    form = AccountForm(request.POST or None, instance=annotator)
    if request.method == "POST" and form.is_valid():
        try:
            services.update_account(annotator, request=request)
        except services.AddressTaken:
            form.add_error("email", ADDRESS_TAKEN)
        else:
            messages.success(request, "Your account was saved.")
            return redirect("annotator:account")
    return _account_page(request, form)


@login_required
@require_POST
def save_preferences(request: AnnotatorRequest) -> HttpResponse:
    """Save how the labelling page looks. Its script asks for JSON and stays on the page."""
    form = PreferencesForm(request.POST, instance=Annotator.objects.get(pk=request.user.pk))
    if not form.is_valid():
        return _account_page(request, AccountForm(instance=request.user), form)
    services.save_preferences(form.instance)
    if request.headers.get("Accept") == "application/json":
        return HttpResponse(status=204)
    messages.success(request, "Your preferences were saved.")
    return HttpResponseRedirect(safe_path(request, reverse("annotator:account")))


def reset_password(request: HttpRequest) -> HttpResponse:
    """Send a link by mail if mail is set up; otherwise send people to an admin."""
    if settings.MAIL_IS_CONFIGURED:
        response: HttpResponse = password_reset(request)
        return response
    return render(request, "account/password_reset_by_admin.html")


@login_required
def own_addresses(request: HttpRequest) -> HttpResponse:
    """Replace allauth's list of addresses: people here have one address, on the account page."""
    return redirect("annotator:account")


def _account_page(
    request: AnnotatorRequest, form: AccountForm, preferences: PreferencesForm | None = None
) -> HttpResponse:
    preferences = preferences or PreferencesForm(instance=request.user)
    context = {
        "form": form,
        "preferences": preferences,
        "roles": queries.role_names(request.user.roles),
        "has_second_factor": queries.has_second_factor(request.user),
        "sign_ins": recent_sign_ins(request.user),
    }
    status = 422 if form.errors or preferences.errors else 200
    return render(request, "annotator/accounts/account.html", context, status=status)
