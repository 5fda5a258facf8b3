"""The audit log, and the changes that Postgres recorded."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotator.core.access import admin_required
from annotator.core.audit import record_view
from annotator.core.audit_log import AUDIT_COLUMNS, audit_page
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from annotator.history.forms import AuditFilterForm, ChangeFilterForm
from annotator.history.queries.changes import changes_page
from annotator.history.queries.filters import audit_filters
from annotator.history.tables import TrackedTable


@admin_required
@require_safe
def audit(request: AnnotatorRequest) -> HttpResponse:
    form = AuditFilterForm(request.GET)
    form.is_valid()  # an invalid filter is reported and ignored
    sorting = Sorting.read(request.GET, AUDIT_COLUMNS, default="when")
    page = audit_page(sorting, request.GET.get("page", "1"), filters=audit_filters(**form.cleaned_data))
    return render(request, "annotator/history/audit.html", {"form": form, "page": page, "sorting": sorting})


@admin_required
@require_safe
def changes(request: AnnotatorRequest) -> HttpResponse:
    """List recorded changes. They show judgements, so filtering by a profile is audited as reading it."""
    form = ChangeFilterForm(request.GET)
    form.is_valid()
    filters = {"table": TrackedTable.JUDGEMENT} | form.cleaned_data
    for profile in filters.get("profile", []):
        record_view(profile.pk, by=request.user, page="history", request=request)
    return render(request, "annotator/history/changes.html", {"form": form, "page": changes_page(**filters)})
