"""Removing a Reddit account, in two steps, and what was removed so far.

The name travels in the body of a POST only: addresses are logged and remembered by browsers.
"""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.privacy import services
from annotator.privacy.forms import TakedownForm
from annotator.privacy.queries import takedowns
from annotator.privacy.takedown_text import Removed


@admin_required
@require_safe
@never_cache
def privacy(request: AnnotatorRequest) -> HttpResponse:
    return _privacy_page(request, TakedownForm())


@admin_required
@require_POST
@never_cache
def check_account(request: AnnotatorRequest) -> HttpResponse:
    """Shows how much would be removed, and asks."""
    form = TakedownForm(request.POST)
    if not form.is_valid():
        return _privacy_page(request, form, status=422)
    asked = form.cleaned_data
    context = {"asked": asked, "would_remove": services.would_remove(asked["account"])}
    return render(request, "annotator/privacy/forget_account.html", context)


@admin_required
@require_POST
@never_cache
def forget_account(request: AnnotatorRequest) -> HttpResponse:
    form = TakedownForm(request.POST)
    if not form.is_valid():
        return _privacy_page(request, form, status=422)
    asked = form.cleaned_data
    removed = services.forget_account(asked["account"], reason=asked["reason"], by=request.user, request=request)
    messages.success(request, _told(removed))
    return redirect("annotator:privacy")


def _privacy_page(request: AnnotatorRequest, form: TakedownForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "page": takedowns(request.GET.get("page", "1"))}
    return render(request, "annotator/privacy/privacy.html", context, status=status)


def _told(removed: Removed) -> str:
    if removed.profiles:
        return f"Removed: {removed.in_words}. No later load brings the account back."
    if removed.forgotten_before:
        return "This account was removed before, and nothing of it has come back. Nothing was changed."
    return "The account was in no corpus. It is recorded all the same, so that no later load brings it in."
