"""The subreddit list as a file: out and in."""

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

ASKED_FOR = 15 * 60  # seconds that a file is kept while somebody thinks about the question
MEND_FIRST = (
    "The list was not replaced, because some rows could not be read: what they say would be lost. "
    "Nothing was changed. Mend them, or import without replacing."
)


@admin_required  # type: ignore[arg-type]  # it streams, which is a response too
@require_safe
def export_hints(request: AnnotatorRequest) -> StreamingHttpResponse:
    headers = {"Content-Disposition": 'attachment; filename="subreddit-hints.csv"'}
    return StreamingHttpResponse(write_hints(stored_hints()), content_type="text/csv; charset=utf-8", headers=headers)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_hints(request: AnnotatorRequest) -> HttpResponse:
    """Takes good rows and shows those it set aside. Replacing is a question first."""
    if request.method != "POST":
        return _import_page(request, HintFileForm())
    form = HintFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _import_page(request, form, status=422)
    if form.cleaned_data["replace"]:
        return _ask(request, form)
    imported = services.import_hints(form.hints.rows, by=request.user, request=request)
    if form.hints.invalid_lines:
        return _import_page(request, HintFileForm(), imported=imported, refused=form.hints.invalid_lines)
    messages.success(request, f"The file was imported. Hints: {imported}.")
    return redirect("annotator:subreddits")


@admin_required
@require_POST
def replace_hints(request: AnnotatorRequest, upload: str) -> HttpResponse:
    """The answer to the question was yes."""
    data = cache.get(_kept_as(request, upload))
    if data is None:
        messages.error(request, "The file is no longer kept. Nothing was changed. Choose it again.")
        return redirect("annotator:import_hints")
    imported = services.import_hints(read_hints(data).rows, replace=True, by=request.user, request=request)
    cache.delete(_kept_as(request, upload))
    messages.success(request, f"The list was replaced. Hints: {imported}.")
    return redirect("annotator:subreddits")


def _ask(request: AnnotatorRequest, form: HintFileForm) -> HttpResponse:
    if form.hints.invalid_lines:
        form.add_error(None, MEND_FIRST)
        return _import_page(request, form, refused=form.hints.invalid_lines, status=422)
    upload = secrets.token_urlsafe(16)
    cache.set(_kept_as(request, upload), form.uploaded, ASKED_FOR)
    context = {"changes": compare_hints(form.hints.rows), "upload": upload}
    return render(request, "annotator/corpora/replace_hints.html", context)


def _kept_as(request: AnnotatorRequest, upload: str) -> str:
    """Only who brought the file can answer for it."""
    return f"hint-file:{request.user.pk}:{upload}"


def _import_page(request: AnnotatorRequest, form: HintFileForm, status: int = 200, **answer: object) -> HttpResponse:
    context = {"form": form, "imported": None, "refused": []} | answer
    return render(request, "annotator/corpora/import_hints.html", context, status=status)
