"""Import labels of another study. Uploads work as those of dumps do: see `annotator/corpora/views/imports.py`."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadhandler import MemoryFileUploadHandler, TemporaryFileUploadHandler
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.uploads import DumpUploadHandler, remove_uploads
from annotator.exchange.forms import LabelImportForm
from annotator.exchange.queries.label_imports import imports_page
from annotator.exchange.services import label_imports as services
from annotator.models import Format, LabelImport

ASKED = "The file is here. A worker takes it in; this page shows how far it is."


@csrf_exempt
@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_labels(request: AnnotatorRequest) -> HttpResponse:
    others = [MemoryFileUploadHandler(request), TemporaryFileUploadHandler(request)]
    request.upload_handlers = [DumpUploadHandler(request), *others]
    return _import_labels(request)


@csrf_protect
def _import_labels(request: AnnotatorRequest) -> HttpResponse:
    form = LabelImportForm(request.POST, request.FILES) if request.method == "POST" else LabelImportForm()
    if form.is_valid() and _start(request, form):
        messages.success(request, ASKED)
        return redirect("annotator:import_labels")
    context: dict[str, Any] = {"page": imports_page(request.GET.get("page", "1"))}
    context["is_live"] = any(row.is_live for row in context["page"])
    if request.htmx and request.method != "POST":
        return render(request, "annotator/exchange/import_labels.html#import-rows", context)
    context |= {"form": form, "upload_bytes": settings.UPLOAD_BYTES}
    return render(request, "annotator/exchange/import_labels.html", context, status=422 if form.errors else 200)


def _start(request: AnnotatorRequest, form: LabelImportForm) -> LabelImport | None:
    """None where it was refused; the form says why then, and nothing that was uploaded stays."""
    path, said, begun = form.keep_file(), form.cleaned_data, None
    try:
        begun = services.request_import(path, Format(said["format"]), said["name"], by=request.user, request=request)
        services.start_in_background(begun)
    except services.ImportRefused as refusal:
        form.add_error("name", str(refusal))
    finally:
        remove_uploads([] if begun else [path])
    return begun
