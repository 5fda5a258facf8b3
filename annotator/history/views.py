"""Who did what, when, and what changed."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotator.accounts.queries import audit_log
from annotator.core.access import admin_required
from annotator.core.audit import note_seen
from annotator.core.http import AnnotatorRequest
from annotator.history.forms import AuditFilterForm, ChangesForm
from annotator.history.queries.changes import changes_page
from annotator.history.queries.entries import entries_about
from annotator.history.tables import Tracked


@admin_required
@require_safe
def audit(request: AnnotatorRequest) -> HttpResponse:
    form = AuditFilterForm(request.GET)
    form.is_valid()  # a filter that makes no sense is told, and left out
    page = audit_log(request.GET.get("page", "1"), about=entries_about(**form.cleaned_data))
    return render(request, "annotator/history/audit.html", {"form": form, "page": page, "query": _filters(request)})


@admin_required
@require_safe
def changes(request: AnnotatorRequest) -> HttpResponse:
    """What people concluded is told here; looking up one profile counts as reading it."""
    form = ChangesForm(request.GET)
    form.is_valid()
    wanted = {"table": Tracked.JUDGEMENT} | form.cleaned_data
    for profile in wanted.get("profile", []):
        note_seen(profile.pk, by=request.user, page="history", request=request)
    return render(request, "annotator/history/changes.html", {"form": form, "page": changes_page(**wanted)})


def _filters(request: AnnotatorRequest) -> str:
    """Everything in the address but the page, so that the next page is of the same list."""
    kept = request.GET.copy()
    kept.pop("page", None)
    return f"{kept.urlencode()}&" if kept else ""
