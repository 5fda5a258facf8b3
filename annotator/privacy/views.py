"""Remove a Reddit account in two steps, and list earlier removals.

The account name is only sent in the body of a POST: servers log URLs, and browsers remember them.
"""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from annotator.privacy import services
from annotator.privacy.forms import TakedownForm
from annotator.privacy.queries import TAKEDOWN_COLUMNS, takedowns_page
from annotator.privacy.takedowns import RemovedRows


@admin_required
@require_safe
@never_cache
def privacy(request: AnnotatorRequest) -> HttpResponse:
    return _privacy_page(request, TakedownForm())


@admin_required
@require_POST
@never_cache
def check_account(request: AnnotatorRequest) -> HttpResponse:
    """Show how much would be removed, and ask for confirmation."""
    form = TakedownForm(request.POST)
    if not form.is_valid():
        return _privacy_page(request, form, status=422)
    takedown = form.cleaned_data
    context = {"takedown": takedown, "removable": services.removable_rows(takedown["account"])}
    return render(request, "annotator/privacy/forget_account.html", context)


@admin_required
@require_POST
@never_cache
def forget_account(request: AnnotatorRequest) -> HttpResponse:
    form = TakedownForm(request.POST)
    if not form.is_valid():
        return _privacy_page(request, form, status=422)
    account, reason = form.cleaned_data["account"], form.cleaned_data["reason"]
    removed = services.forget_account(account, reason=reason, by=request.user, request=request)
    messages.success(request, _confirmation(removed))
    return redirect("annotator:privacy")


def _privacy_page(request: AnnotatorRequest, form: TakedownForm, status: int = 200) -> HttpResponse:
    sorting = Sorting.read(request.GET, TAKEDOWN_COLUMNS, default="when")
    context = {"form": form, "page": takedowns_page(sorting, request.GET.get("page", "1")), "sorting": sorting}
    return render(request, "annotator/privacy/privacy.html", context, status=status)


def _confirmation(removed: RemovedRows) -> str:
    if removed.profiles:
        return f"Removed: {removed.summary}. No later import can bring the account back."
    if removed.forgotten_before:
        return "This account has already been removed and hasn’t come back. Nothing was changed."
    return "The account was in no corpus. It is now blocked, so no later import can bring it in."
