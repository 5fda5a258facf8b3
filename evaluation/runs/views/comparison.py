"""Two runs side by side."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.parameters import read_number
from evaluation.models import EvaluationRun
from evaluation.reports.comparison import Comparison, compare_reports
from evaluation.runs.kinds import KINDS
from evaluation.runs.queries import measured_runs, readable_runs, run_row


@staff_required
@require_safe
def compare_evaluations(request: AnnotatorRequest) -> HttpResponse:
    """Choose two runs; their numbers and differences stand below once both are chosen."""
    first, second = (_chosen(request.GET.get(name, "")) for name in ("first", "second"))
    context: dict[str, Any] = {"first": first and run_row(first), "second": second and run_row(second)}
    context["choices"] = measured_runs()
    if first and second:
        context["comparison"] = _compare(first, second)
    return render(request, "evaluation/runs/compare_evaluations.html", context)


def _compare(first: EvaluationRun, second: EvaluationRun) -> Comparison:
    """What all reports have, and what two runs of the same kind add."""
    comparison, kind = compare_reports(first.report, second.report), KINDS.get(first.kind)
    compare_kind = kind.load_comparison() if kind and first.kind == second.kind else None
    return comparison.with_tables(compare_kind(first, second)) if compare_kind else comparison


def _chosen(text: str) -> EvaluationRun | None:
    """A run with a report; an unknown number is as good as none."""
    return readable_runs().exclude(report={}).filter(pk=read_number(text) or 0).first()
