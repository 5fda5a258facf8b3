"""Provenance of a corpus, and the progress of its import."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotator.core.access import admin_required, staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.jobs import fragment_context
from annotator.core.sort_order import Sorting
from annotator.corpora.queries.ingests import latest_ingest
from annotator.corpora.queries.provenance import (
    FILE_COLUMNS,
    MAX_LINES,
    can_grow,
    file_state,
    files_page,
    funnel_chart,
    reason_counts,
    rules_of,
    set_aside_page,
)
from annotator.corpora.refused_imports import refusal_of
from annotator.corpora.services import imports as services
from annotator.models import Role
from profiles.ingest.plan import IngestRefused
from profiles.models import Corpus, DumpFile

RESUMED = "The import continues where it stopped."


@staff_required
@require_safe
def provenance(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Progress, funnel, rules and files. If an import read nothing, there is no corpus, but a reason."""
    if refusal := refusal_of(corpus_id):
        messages.error(request, refusal)
        return redirect("annotator:corpora")
    corpus, is_admin = _corpus(corpus_id), request.user.has_role(Role.ADMIN)
    latest, sorting = latest_ingest(corpus), Sorting.read(request.GET, FILE_COLUMNS, default="name")
    context = {
        "corpus": corpus,
        "progress": latest,
        "funnel": funnel_chart(corpus),
        "rules": rules_of(corpus),
        "files": files_page(corpus, sorting, request.GET.get("page", "1")),
        "sorting": sorting,
        "is_admin": is_admin,
        "can_grow": is_admin and can_grow(corpus) and not (latest and latest.is_live),
    }
    return render(request, "annotator/corpora/provenance.html", context)


@staff_required
@require_safe
def progress(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """The panel alone, polled every two seconds. Once nothing is running, reload the whole page."""
    if refusal_of(corpus_id):
        return HttpResponseClientRefresh()
    corpus = _corpus(corpus_id)
    now = latest_ingest(corpus)
    if now is None or not now.is_live:
        return HttpResponseClientRefresh()
    context = {"corpus": corpus, "progress": now, "is_admin": request.user.has_role(Role.ADMIN)}
    context |= fragment_context(now.job, request.GET)
    return render(request, "annotator/corpora/_progress.html", context)


@admin_required
@require_POST
def resume_import(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Resume a stopped import. If it is running again already, say so."""
    try:
        services.resume_import(_corpus(corpus_id), by=request.user, request=request)
    except IngestRefused as refusal:
        messages.warning(request, str(refusal))
    else:
        messages.success(request, RESUMED)
    return redirect("annotator:provenance", corpus_id)


@staff_required
@require_safe
def dump_file(request: AnnotatorRequest, corpus_id: int, file_id: int) -> HttpResponse:
    """Lines of a file that were set aside: their numbers and reasons, never their text."""
    files = DumpFile.objects.filter(corpus__in=Corpus.objects.visible()).select_related("corpus")
    file = get_object_or_404(files, pk=file_id, corpus=corpus_id)
    page = set_aside_page(file, request.GET.get("page", "1"))
    context = {
        "file": file,
        "state": file_state(file)[0],
        "reasons": reason_counts(file),
        "page": page,
        "most": MAX_LINES,
    }
    return render(request, "annotator/corpora/dump_file.html", context)


def _corpus(corpus_id: int) -> Corpus:
    return get_object_or_404(Corpus.objects.visible(), pk=corpus_id)
