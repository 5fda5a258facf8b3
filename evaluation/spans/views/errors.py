"""The errors and documents of a span run."""

import json
from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from evaluation.models import ErrorItem, EvaluatedDocument, EvaluationRun
from evaluation.runs.queries import run_row
from evaluation.runs.views.reports import file_name, finished_run
from evaluation.spans import services
from evaluation.spans.marked_text import MAX_CHARACTERS, document_pieces
from evaluation.spans.queries import all_errors, error_row, neighbours
from evaluation.spans.views.reports import TEMPLATE


@staff_required
@require_POST
def mark_error(request: AnnotatorRequest, evaluation_id: int, number: int) -> HttpResponse:
    """Mark an error as looked at, or take the mark back (`is_marked` is empty)."""
    items = ErrorItem.objects.select_related("run", "document", "mark__marked_by")
    item = get_object_or_404(items, run=evaluation_id, number=number)
    services.mark_error(item, is_marked=bool(request.POST.get("is_marked")), by=request.user)
    if request.htmx:
        row = error_row(items.get(pk=item.pk))
        return render(request, f"{TEMPLATE}#error-mark", {"row": row, "run": run_row(item.run)})
    return redirect(f"{reverse('evaluation:evaluation', args=[evaluation_id])}?errors={item.kind}#errors")


@staff_required
@require_safe
def evaluated_document(request: AnnotatorRequest, evaluation_id: int, number: int) -> HttpResponse:
    """A document with the gold spans of an annotator and the predictions of a system."""
    documents = EvaluatedDocument.objects.select_related("run")
    document = get_object_or_404(documents, run=evaluation_id, number=number)
    contents = document.contents
    annotator = _choice(request.GET.get("annotator"), contents["gold"])
    system = _choice(request.GET.get("system"), contents["predicted"])
    context = {
        "run": run_row(document.run), "document": document, "annotator": annotator, "system": system,
        "pieces": document_pieces(contents, annotator, system), "neighbours": neighbours(document),
        "is_cut": len(contents["text"] or "") > MAX_CHARACTERS, "has_text": contents["text"] is not None,
    }  # fmt: skip
    return render(request, "evaluation/spans/evaluated_document.html", context)


@staff_required
@require_safe
@never_cache
def errors_jsonl(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    run = finished_run(request, evaluation_id, "errors")
    headers = {"Content-Disposition": f'attachment; filename="{file_name(run)}-errors.jsonl"'}
    return StreamingHttpResponse(_lines(run), content_type="application/x-ndjson", headers=headers)  # type: ignore[return-value]


def _lines(run: EvaluationRun) -> Iterator[str]:
    for item in all_errors(run).iterator():
        yield json.dumps(item, ensure_ascii=False) + "\n"


def _choice(name: str | None, names: dict[str, Any]) -> str:
    return name if name is not None and name in names else next(iter(names), "")
