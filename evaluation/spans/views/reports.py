"""The report of a run, its errors and documents, and its downloads."""

import json
from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.jobs import fragment_context
from annotator.models import Role
from evaluation.models import ErrorItem, EvaluatedDocument, EvaluationKind, EvaluationRun
from evaluation.reports.html import MAX_ERRORS, render_report_html
from evaluation.reports.presentation import present_report
from evaluation.spans import services
from evaluation.spans.evidence.presentation import EvidenceReport, present_evidence
from evaluation.spans.marked_text import MAX_CHARACTERS, document_pieces
from evaluation.spans.queries import ErrorList, all_errors, error_row, errors_of, neighbours, run_row
from evaluation.spans.views.evidence import evidence_context
from evaluation.spans.views.runs import find_run

TEMPLATE = "evaluation/spans/evaluation.html"


@staff_required
@require_safe
def evaluation(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    """The report; while the run is live, how far it is."""
    run = find_run(evaluation_id)
    row = run_row(run)
    context: dict[str, Any] = {"run": row, "is_admin": request.user.has_role(Role.ADMIN)}
    if request.htmx.target == "errors":
        return render(request, f"{TEMPLATE}#errors", context | {"errors": _errors(request, run)})
    if request.htmx:
        context |= fragment_context(row.job, request.GET)
        return render(request, f"{TEMPLATE}#progress", context) if row.job.is_live else HttpResponseClientRefresh()
    if run.report and run.kind == EvaluationKind.EVIDENCE:
        context |= {"has_report": True} | evidence_context(run)
        return render(request, "evaluation/spans/evidence/report.html", context)
    if run.report:
        context |= {"report": present_report(run.report), "evidence": _evidence(run), "has_report": True}
        context["errors"] = _errors(request, run)
    return render(request, TEMPLATE, context)


def _errors(request: AnnotatorRequest, run: EvaluationRun) -> ErrorList | None:
    return errors_of(run, request.GET.get("errors", ""), request.GET.get("page", "1"))


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
def report_json(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    run = _finished(request, evaluation_id, "json")
    response = JsonResponse(run.report, json_dumps_params={"indent": 1, "ensure_ascii": False})
    return _as_attachment(response, run, "json")


@staff_required
@require_safe
@never_cache
def report_html(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    """One file that needs nothing else. It quotes errors, as the page does."""
    run = _finished(request, evaluation_id, "html")
    errors = all_errors(run)[: MAX_ERRORS + 1]
    page = render_report_html(run.report, errors, name=run.name, evidence=_evidence(run))
    return _as_attachment(HttpResponse(page), run, "html")


@staff_required
@require_safe
@never_cache
def errors_jsonl(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    run = _finished(request, evaluation_id, "errors")
    headers = {"Content-Disposition": f'attachment; filename="{_file_name(run)}-errors.jsonl"'}
    return StreamingHttpResponse(_lines(run), content_type="application/x-ndjson", headers=headers)  # type: ignore[return-value]


def _lines(run: EvaluationRun) -> Iterator[str]:
    for item in all_errors(run).iterator():
        yield json.dumps(item, ensure_ascii=False) + "\n"


def _finished(request: AnnotatorRequest, evaluation_id: int, what: str) -> EvaluationRun:
    """A run with a report. Who downloads it is recorded."""
    run = find_run(evaluation_id)
    if not run.report:
        raise Http404
    services.record_download(run, what, by=request.user, request=request)
    return run


def _evidence(run: EvaluationRun) -> EvidenceReport | None:
    contents = run.report.get("evidence") or (run.report if run.kind == "evidence" else None)
    return present_evidence(contents) if contents else None


def _choice(name: str | None, names: dict[str, Any]) -> str:
    return name if name is not None and name in names else next(iter(names), "")


def _as_attachment(response: HttpResponse, run: EvaluationRun, ending: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{_file_name(run)}.{ending}"'
    return response


def _file_name(run: EvaluationRun) -> str:
    return f"evaluation-{run.pk}-{slugify(run.name)[:60] or run.kind}"
