"""Exports: what was made, asking for one, and fetching it."""

import json
from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.exchange.export.storage import path_of, sweep_exports
from annotator.exchange.forms import ExportForm
from annotator.exchange.queries.exports import (
    State,
    counts_of,
    export_row,
    exports_page,
    filters_of,
    snapshot_of,
    state_of,
    visible_exports,
)
from annotator.exchange.services import exports as services
from annotator.models import Export, Role

FILTERS = ("min_certainty", "required_subreddit", "adjudicated_only")
ASKED = "The export was asked for. A worker makes it; this page shows how far it is."


@staff_required
@require_http_methods(["GET", "HEAD", "POST"])
def exports(request: AnnotatorRequest) -> HttpResponse:
    """All of them, and a form to ask for another. While one is being made the list asks for itself again."""
    form = ExportForm(request.POST or None, initial=_wished(request.GET), by=request.user)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        why = said.get("reason", "")
        services.request_export(said["corpus"], form.options, by=request.user, reason=why, request=request)
        messages.success(request, ASKED)
        return redirect("annotator:exports")
    sweep_exports()
    context: dict[str, Any] = {"page": exports_page(request.user, request.GET.get("page", "1"))}
    context["is_live"] = any(row.is_live for row in context["page"])
    if request.htmx and request.method != "POST":
        return render(request, "annotator/exchange/exports.html#export-rows", context)
    context |= {"form": form, "is_admin": request.user.has_role(Role.ADMIN)}
    return render(request, "annotator/exchange/exports.html", context, status=422 if form.errors else 200)


def _wished(said: QueryDict) -> dict[str, Any]:
    """A link may fill in what the file is to hold. What it is to give away, a person ticks themselves."""
    one = {name: said[name] for name in ("corpus", "batch", "format", *FILTERS) if name in said}
    return one | {name: said.getlist(name) for name in ("attributes", "hardness") if name in said}


@staff_required
@require_safe
def export(request: AnnotatorRequest, export_id: int) -> HttpResponse:
    """One export with its manifest in words. While it is being made the page asks for its panel again."""
    shown = _export(request, export_id)
    context = {"export": export_row(shown), "filters": filters_of(shown), "counts": counts_of(shown)}
    context |= {"manifest": shown.manifest, "file_name": shown.file_name, "reason": shown.reason}
    context["as_of"] = snapshot_of(shown)
    template = "annotator/exchange/export.html#export-panel" if request.htmx else "annotator/exchange/export.html"
    return render(request, template, context)


@staff_required
@require_safe
@never_cache
def export_file(request: AnnotatorRequest, export_id: int) -> HttpResponse:
    """The file itself. Whoever fetches it is recorded."""
    shown = _ready(request, export_id)
    try:
        file = path_of(shown).open("rb")
    except FileNotFoundError as error:
        raise Http404 from error
    services.record_download(shown, by=request.user, request=request)
    kind, name = "application/octet-stream", shown.file_name
    return FileResponse(file, as_attachment=True, filename=name, content_type=kind)  # type: ignore[return-value]


@staff_required
@require_safe
@never_cache
def export_manifest(request: AnnotatorRequest, export_id: int) -> HttpResponse:
    """What stands beside the file. It stays when the file has expired."""
    shown = _export(request, export_id)
    if not shown.manifest:
        raise Http404
    text = json.dumps(shown.manifest, ensure_ascii=False, indent=1) + "\n"
    name = f"{shown.manifest['file']}.manifest.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="application/json", headers=headers)


def _export(request: AnnotatorRequest, export_id: int) -> Export:
    return get_object_or_404(visible_exports(request.user), pk=export_id)


def _ready(request: AnnotatorRequest, export_id: int) -> Export:
    shown = _export(request, export_id)
    if state_of(shown) != State.READY:
        raise Http404
    return shown
