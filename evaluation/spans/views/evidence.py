"""Evidence runs: start one, and show its report."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from evaluation.models import EvaluationRun
from evaluation.reports.html import render_report_html
from evaluation.runs.views.reports import run_context
from evaluation.runs.views.runs import REQUESTED
from evaluation.spans.evidence.examples import missed_evidence
from evaluation.spans.evidence.forms import EvidenceForm
from evaluation.spans.evidence.measurement import stored_scope
from evaluation.spans.evidence.presentation import present_evidence
from evaluation.spans.evidence.services import request_evidence_run


@staff_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_evidence_evaluation(request: AnnotatorRequest) -> HttpResponse:
    form = EvidenceForm(request.POST or None)
    if form.is_valid():
        run = request_evidence_run(form.scope(), by=request.user, request=request)
        messages.success(request, REQUESTED)
        return redirect("evaluation:evaluation", run.pk)
    status = 422 if form.is_bound else 200
    context = {"form": form, "has_runs": form.has_runs}
    return render(request, "evaluation/spans/evidence/new.html", context, status=status)


def evidence_report(request: AnnotatorRequest, run: EvaluationRun) -> HttpResponse:
    """The figures, and examples from current rows, not from the report. 3 queries."""
    scope = stored_scope(run)
    examples = missed_evidence(scope) if scope else []
    context = run_context(request, run) | {"evidence": present_evidence(run.report), "examples": examples}
    return render(request, "evaluation/spans/evidence/report.html", context)


def evidence_html(run: EvaluationRun) -> str:
    """It quotes no comment."""
    return render_report_html(run.report, name=run.name, evidence=present_evidence(run.report))
