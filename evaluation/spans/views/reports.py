"""The report of a span run."""

from django.http import HttpResponse
from django.shortcuts import render

from annotator.core.http import AnnotatorRequest
from evaluation.models import EvaluationRun
from evaluation.reports.html import MAX_ERRORS, render_report_html
from evaluation.reports.presentation import present_report
from evaluation.runs.views.reports import run_context
from evaluation.spans.evidence.presentation import EvidenceReport, present_evidence
from evaluation.spans.queries import all_errors, errors_of

TEMPLATE = "evaluation/spans/report.html"


def span_report(request: AnnotatorRequest, run: EvaluationRun) -> HttpResponse:
    """Numbers and errors. htmx gets one page of the errors alone."""
    context = run_context(request, run)
    context["errors"] = errors_of(run, request.GET.get("errors", ""), request.GET.get("page", "1"))
    if request.htmx:
        return render(request, f"{TEMPLATE}#errors", context)
    context |= {"report": present_report(run.report), "evidence": _evidence(run)}
    return render(request, TEMPLATE, context)


def span_html(run: EvaluationRun) -> str:
    """It quotes errors, as the page does."""
    errors = all_errors(run)[: MAX_ERRORS + 1]
    return render_report_html(run.report, errors, name=run.name, evidence=_evidence(run))


def _evidence(run: EvaluationRun) -> EvidenceReport | None:
    contents = run.report.get("evidence")
    return present_evidence(contents) if contents else None
