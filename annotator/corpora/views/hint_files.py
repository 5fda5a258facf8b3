"""Export and import the subreddit list as a CSV file."""

import secrets

from django.contrib import messages
from django.core.cache import cache
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.corpora.forms.subreddits import HintFileForm
from annotator.corpora.services import hints as services
from profiles.hints.files import read_hints, write_hints
from profiles.hints.store import compare_hints, stored_hints

UPLOAD_TTL = 15 * 60  # seconds to confirm a replacement
MAX_UPLOAD_KEY = 64  # characters; ours have 22
UPLOAD_EXPIRED = "The uploaded file has expired. Nothing was changed. Choose it again."
FIX_ROWS_FIRST = (
    "The list was not replaced, because some rows could not be read and would be lost. "
    "Nothing was changed. Fix the rows, or import without replacing."
)


@admin_required  # type: ignore[arg-type]  # a streaming response
@require_safe
def export_hints(request: AnnotatorRequest) -> StreamingHttpResponse:
    headers = {"Content-Disposition": 'attachment; filename="subreddit-hints.csv"'}
    return StreamingHttpResponse(write_hints(stored_hints()), content_type="text/csv; charset=utf-8", headers=headers)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_hints(request: AnnotatorRequest) -> HttpResponse:
    """Import the valid rows and show the others. Replacing the list needs a confirmation."""
    if request.method != "POST":
        return _import_page(request, HintFileForm())
    form = HintFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _import_page(request, form, status=422)
    if form.cleaned_data["replace"]:
        return _confirm_page(request, form)
    imported = services.import_hints(form.hints.rows, by=request.user, request=request)
    if form.hints.invalid_lines:
        return _import_page(request, HintFileForm(), imported=imported, refused=form.hints.invalid_lines)
    messages.success(request, f"The file was imported. Hints: {imported}.")
    return redirect("annotator:subreddits")


@admin_required
@require_POST
def replace_hints(request: AnnotatorRequest, upload: str) -> HttpResponse:
    """Replace the list with the uploaded file after the confirmation."""
    data = cache.get(_cache_key(request, upload)) if len(upload) <= MAX_UPLOAD_KEY else None
    if data is None:
        messages.error(request, UPLOAD_EXPIRED)
        return redirect("annotator:import_hints")
    imported = services.import_hints(read_hints(data).rows, replace=True, by=request.user, request=request)
    cache.delete(_cache_key(request, upload))
    messages.success(request, f"The list was replaced. Hints: {imported}.")
    return redirect("annotator:subreddits")


def _confirm_page(request: AnnotatorRequest, form: HintFileForm) -> HttpResponse:
    if form.hints.invalid_lines:
        form.add_error(None, FIX_ROWS_FIRST)
        return _import_page(request, form, refused=form.hints.invalid_lines, status=422)
    upload = secrets.token_urlsafe(16)
    cache.set(_cache_key(request, upload), form.uploaded, UPLOAD_TTL)
    context = {"changes": compare_hints(form.hints.rows), "upload": upload}
    return render(request, "annotator/corpora/replace_hints.html", context)


def _cache_key(request: AnnotatorRequest, upload: str) -> str:
    """Only the person who uploaded the file can confirm it."""
    return f"hint-file:{request.user.pk}:{upload}"


def _import_page(request: AnnotatorRequest, form: HintFileForm, status: int = 200, **result: object) -> HttpResponse:
    context = {"form": form, "imported": None, "refused": []} | result
    return render(request, "annotator/corpora/import_hints.html", context, status=status)
