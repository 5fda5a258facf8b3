"""The report on defences, and what is still inferable after each."""

from django.http import HttpResponse
from django.shortcuts import render

from annotator.core.http import AnnotatorRequest
from evaluation.defences.html import render_defence_html
from evaluation.defences.presentation import present_defences
from evaluation.defences.queries import examples_page
from evaluation.inference.views.reports import gold_note
from evaluation.models import EvaluationRun
from evaluation.runs.views.reports import run_context

TEMPLATE = "evaluation/defences/report.html"


def defence_report(request: AnnotatorRequest, run: EvaluationRun) -> HttpResponse:
    """Numbers and examples. htmx gets one page of the examples alone."""
    context = run_context(request, run)
    context["examples"] = examples_page(run, request.GET.get("defence", ""), request.GET.get("page", "1"))
    if request.htmx:
        return render(request, f"{TEMPLATE}#examples", context)
    return render(request, TEMPLATE, context | {"report": present_defences(run.report), "gold_note": gold_note(run)})


def defence_html(run: EvaluationRun) -> str:
    """Numbers only, so that the file can be shared."""
    return render_defence_html(run.report, name=run.name)
