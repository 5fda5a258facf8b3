"""Import dumps into a new or an existing corpus.

Uploads are written to disk while the form is parsed. So the form is parsed only for admins, and the CSRF token, which
is part of it, is checked right afterwards.
"""

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadhandler import MemoryFileUploadHandler, TemporaryFileUploadHandler
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.uploads import DumpUploadHandler, remove_uploads
from annotator.corpora.forms.imports import FilesForm, ImportForm
from annotator.corpora.queries.provenance import can_grow, needs_every_file, rules_of
from annotator.corpora.services import imports as services
from profiles.ingest.options import Options
from profiles.ingest.plan import IngestRefused
from profiles.models import Corpus, Ingest

CANNOT_GROW = "You can’t add files to this corpus, because it is a sample or limits the comments per profile."


@csrf_exempt
@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_dumps(request: AnnotatorRequest) -> HttpResponse:
    """Import dumps into a new corpus."""
    _store_uploads(request)
    return _import_dumps(request)


@csrf_exempt
@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def grow_corpus(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Add files to a corpus under its existing rules."""
    _store_uploads(request)
    return _grow_corpus(request, corpus_id)


@csrf_protect
def _import_dumps(request: AnnotatorRequest) -> HttpResponse:
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if form.is_valid():
        ingest = _start(request, form, form.cleaned_data["name"], form.options)
        if ingest:
            return redirect("annotator:provenance", ingest.corpus_id)
    return _page(request, form)


@csrf_protect
def _grow_corpus(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    corpus = get_object_or_404(Corpus.objects.visible(), pk=corpus_id)
    if not can_grow(corpus):
        messages.warning(request, CANNOT_GROW)
        return redirect("annotator:provenance", corpus_id)
    form = FilesForm(request.POST, request.FILES) if request.method == "POST" else FilesForm()
    if form.is_valid() and _start(request, form, corpus.name, None):
        return redirect("annotator:provenance", corpus_id)
    return _page(request, form, corpus)


def _store_uploads(request: AnnotatorRequest) -> None:
    defaults = [MemoryFileUploadHandler(request), TemporaryFileUploadHandler(request)]
    request.upload_handlers = [DumpUploadHandler(request), *defaults]


def _start(request: AnnotatorRequest, form: FilesForm, name: str, options: Options | None) -> Ingest | None:
    """Start the import. If it is refused, add the reason to the form, remove the uploads and return None."""
    paths, ingest = form.keep_files(), None
    try:
        ingest = services.start_import(name, options, paths, by=request.user, request=request)
    except IngestRefused as refusal:
        form.add_error(None, str(refusal))
    finally:
        remove_uploads([] if ingest else paths)
    return ingest


def _page(request: AnnotatorRequest, form: FilesForm, corpus: Corpus | None = None) -> HttpResponse:
    context: dict[str, object] = {"form": form, "corpus": corpus, "upload_bytes": settings.UPLOAD_BYTES}
    if corpus:
        context |= {"rules": rules_of(corpus), "needs_every_file": needs_every_file(corpus)}
    return render(request, "annotator/corpora/import_dumps.html", context, status=422 if form.errors else 200)
