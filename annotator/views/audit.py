"""Who did what, when."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotator.access import admin_required
from annotator.forms.people import AuditFilterForm
from annotator.http import AnnotatorRequest
from annotator.queries import people as queries


@admin_required
@require_safe
def audit(request: AnnotatorRequest) -> HttpResponse:
    form = AuditFilterForm(request.GET)
    form.is_valid()  # a filter that makes no sense is told, and left out
    action, person = form.cleaned_data.get("action", ""), form.cleaned_data.get("person")
    page = queries.audit_log(request.GET.get("page", "1"), action=action, person=person)
    return render(request, "annotator/audit.html", {"form": form, "page": page, "query": _filters(request)})


def _filters(request: AnnotatorRequest) -> str:
    """Everything in the address but the page, so that the next page is of the same list."""
    kept = request.GET.copy()
    kept.pop("page", None)
    return f"{kept.urlencode()}&" if kept else ""
