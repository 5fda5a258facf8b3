"""Exports: list them, request one, download one."""

import json
from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.jobs import fragment_context
from annotator.core.sort_order import Sorting
from annotator.exchange.export.storage import path_of, sweep_exports
from annotator.exchange.forms import ExportForm
from annotator.exchange.queries.exports import (
    EXPORT_COLUMNS,
    counts_of,
    export_row,
    exports_page,
    filters_of,
    is_ready,
    readable_exports,
    snapshot_of,
)
from annotator.exchange.services import exports as services
from annotator.exchange.services.audit import record_download
from annotator.models import Export, Role

FILTERS = ("min_certainty", "required_subreddit", "adjudicated_only")
REQUESTED = "The export has started. This page shows its progress."


@staff_required
@require_http_methods(["GET", "HEAD", "POST"])
def exports(request: AnnotatorRequest) -> HttpResponse:
    """List exports and request another. The list reloads itself while one is live."""
    form = ExportForm(request.POST or None, initial=_initial_values(request.GET), by=request.user)
    if request.method == "POST" and form.is_valid():
        corpus, reason = form.cleaned_data["corpus"], form.cleaned_data.get("reason", "")
        services.request_export(corpus, form.options, by=request.user, reason=reason, request=request)
        messages.success(request, REQUESTED)
        return redirect("annotator:exports")
    sweep_exports()
    sorting = Sorting.read(request.GET, EXPORT_COLUMNS, default="requested")
    page = exports_page(request.user, sorting, request.GET.get("page", "1"))
    context: dict[str, Any] = {"page": page, "sorting": sorting}
    context["is_live"] = any(row.job.is_live for row in context["page"])
    if request.htmx and request.method != "POST":
        return render(request, "annotator/exchange/exports.html#export-rows", context)
    context |= {"form": form, "is_admin": request.user.has_role(Role.ADMIN)}
    return render(request, "annotator/exchange/exports.html", context, status=422 if form.errors else 200)


def _initial_values(query: QueryDict) -> dict[str, Any]:
    """A link may preset filters; texts and account names are only ever ticked by a person."""
    values = {name: query[name] for name in ("corpus", "batch", "format", *FILTERS) if name in query}
    return values | {name: query.getlist(name) for name in ("attributes", "hardness") if name in query}


@staff_required
@require_safe
def export(request: AnnotatorRequest, export_id: int) -> HttpResponse:
    """An export and its manifest. The panel reloads itself while the export is live."""
    selected = _export(request, export_id)
    row = export_row(selected)
    context = {"export": row, "filters": filters_of(selected), "counts": counts_of(selected)}
    context |= {"manifest": selected.manifest, "file_name": selected.file_name, "reason": selected.reason}
    context["as_of"] = snapshot_of(selected)
    if request.htmx:
        context |= fragment_context(row.job, request.GET)
        return render(request, "annotator/exchange/export.html#export-panel", context)
    return render(request, "annotator/exchange/export.html", context)


@staff_required
@require_safe
@never_cache
def export_file(request: AnnotatorRequest, export_id: int) -> HttpResponse:
    """Download the file, and record who did."""
    selected = _ready_export(request, export_id)
    try:
        file = path_of(selected).open("rb")
    except FileNotFoundError as error:
        raise Http404 from error
    record_download(selected, by=request.user, request=request)
    content_type, name = "application/octet-stream", selected.file_name
    return FileResponse(file, as_attachment=True, filename=name, content_type=content_type)  # type: ignore[return-value]


@staff_required
@require_safe
@never_cache
def export_manifest(request: AnnotatorRequest, export_id: int) -> HttpResponse:
    """Download the manifest, which stays when the file has expired."""
    selected = _export(request, export_id)
    if not selected.manifest:
        raise Http404
    text = json.dumps(selected.manifest, ensure_ascii=False, indent=1) + "\n"
    name = f"{selected.manifest['file']}.manifest.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="application/json", headers=headers)


def _export(request: AnnotatorRequest, export_id: int) -> Export:
    return get_object_or_404(readable_exports(request.user), pk=export_id)


def _ready_export(request: AnnotatorRequest, export_id: int) -> Export:
    selected = _export(request, export_id)
    if not is_ready(selected):
        raise Http404
    return selected
