"""Import labels of another study. `annotator/corpora/views/imports.py` explains the order of upload and CSRF check."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadhandler import MemoryFileUploadHandler, TemporaryFileUploadHandler
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from annotator.core.uploads import DumpUploadHandler, remove_uploads
from annotator.exchange.forms import LabelImportForm
from annotator.exchange.imports.file_format import WrongFormat
from annotator.exchange.imports.target import ImportRefused
from annotator.exchange.queries.label_imports import IMPORT_COLUMNS, import_row, imports_page, removable_rows
from annotator.exchange.services import label_imports as services
from annotator.models import Format, LabelImport

UNDO_REQUESTED = "The import is being undone. This page shows the progress."
REQUESTED = "The file was uploaded and is being imported. This page shows the progress."


@csrf_exempt
@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_labels(request: AnnotatorRequest) -> HttpResponse:
    defaults = [MemoryFileUploadHandler(request), TemporaryFileUploadHandler(request)]
    request.upload_handlers = [DumpUploadHandler(request), *defaults]
    return _import_labels(request)


@csrf_protect
def _import_labels(request: AnnotatorRequest) -> HttpResponse:
    initial = {name: request.GET[name] for name in ("format", "name") if name in request.GET}
    form = (
        LabelImportForm(request.POST, request.FILES) if request.method == "POST" else LabelImportForm(initial=initial)
    )
    if form.is_valid() and _start(request, form):
        messages.success(request, REQUESTED)
        return redirect("annotator:import_labels")
    sorting = Sorting.read(request.GET, IMPORT_COLUMNS, default="requested")
    context: dict[str, Any] = {"page": imports_page(sorting, request.GET.get("page", "1")), "sorting": sorting}
    context["is_live"] = any(row.is_live for row in context["page"])
    if request.htmx and request.method != "POST":
        return render(request, "annotator/exchange/import_labels.html#import-rows", context)
    context |= {"form": form, "upload_bytes": settings.UPLOAD_BYTES}
    return render(request, "annotator/exchange/import_labels.html", context, status=422 if form.errors else 200)


def _start(request: AnnotatorRequest, form: LabelImportForm) -> LabelImport | None:
    """Start the import. If it is refused, add the reason to the form, remove the upload and return None."""
    path, data, label_import = form.keep_file(), form.cleaned_data, None
    try:
        if data["is_dry_run"]:
            label_import = services.request_dry_run(path, Format(data["format"]), data["name"], by=request.user)
        else:
            label_import = services.request_import(
                path, Format(data["format"]), data["name"], by=request.user, request=request
            )
        services.start_in_background(label_import)
    except WrongFormat as mismatch:
        form.add_error("format", str(mismatch))
    except ImportRefused as refusal:
        form.add_error("name", str(refusal))
    finally:
        remove_uploads([] if label_import else [path])
    return label_import


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def undo_import(request: AnnotatorRequest, label_import_id: int) -> HttpResponse:
    """Show what would be removed, and remove it once the admin has confirmed."""
    imports = LabelImport.objects.select_related("corpus", "asked_by", "undo")
    label_import = get_object_or_404(imports, pk=label_import_id, is_dry_run=False)
    if request.method == "POST":
        try:
            services.request_undo(label_import, by=request.user, request=request)
            messages.success(request, UNDO_REQUESTED)
        except services.UndoRefused as refusal:
            messages.error(request, str(refusal))
        return redirect("annotator:import_labels")
    context = {"row": import_row(label_import), "rows": removable_rows(label_import)}
    return render(request, "annotator/exchange/undo_import.html", context)
