"""The report of a probe, and GenderBench's log of it."""

from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.probes.measurement import write_log
from evaluation.probes.order import restore_order
from evaluation.probes.presentation import present_probe
from evaluation.reports.html import render_shown_html
from evaluation.reports.presentation import ShownReport
from evaluation.runs.results import CannotMeasure
from evaluation.runs.services import record_download
from evaluation.runs.views.reports import file_name, run_context
from evaluation.runs.views.runs import find_run


def probe_report(request: AnnotatorRequest, run: EvaluationRun) -> HttpResponse:
    """All numbers. Above them, whether the model does the task at all."""
    report, verdict = _shown(run), run.report["verdict"]
    cautions = tuple(caution for caution in report.cautions if not caution.message.startswith(verdict["sentence"]))
    context = run_context(request, run) | {"report": replace(report, cautions=cautions), "verdict": verdict}
    return render(request, "evaluation/probes/report.html", context)


def probe_html(run: EvaluationRun) -> str:
    """Numbers only, so that the file can be shared."""
    return render_shown_html(_shown(run), name=run.name, version=run.report.get("version", ""))


def _shown(run: EvaluationRun) -> ShownReport:
    return present_probe(restore_order(run.report))


@staff_required
@require_safe
@never_cache
def genderbench_log(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    """It quotes texts and answers. Who downloads it is recorded."""
    run = find_run(evaluation_id)
    if run.kind != EvaluationKind.PROBE or not run.report:
        raise Http404
    try:
        parts = write_log(run)
    except CannotMeasure as refusal:
        messages.error(request, str(refusal))
        return redirect("evaluation:evaluation", run.pk)
    record_download(run, "log", by=request.user, request=request)
    headers = {"Content-Disposition": f'attachment; filename="{file_name(run)}-genderbench.jsonl"'}
    return StreamingHttpResponse(parts, content_type="application/x-ndjson", headers=headers)  # type: ignore[return-value]
