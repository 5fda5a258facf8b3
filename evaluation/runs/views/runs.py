"""Evaluation runs: list, cancel, repeat and delete them."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import admin_required, staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from evaluation.models import EvaluationRun
from evaluation.runs import services
from evaluation.runs.queries import RUN_COLUMNS, asks_models, readable_runs, run_row, runs_page

REQUESTED = "The evaluation is queued. This page shows its progress."
CANCELLED = "The evaluation was cancelled. Nothing was stored."
CANCELLED_WITH_ANSWERS = "The run was cancelled. It has no report, but all answers so far are kept, so it can continue."
ENDED_ALREADY = "The evaluation had already ended."
DELETED = "The evaluation was deleted with its files, documents and errors."
DELETED_WITHOUT_ANSWERS = "The evaluation was deleted with its files. The model's answers are kept."


@staff_required
@require_safe
def evaluations(request: AnnotatorRequest) -> HttpResponse:
    """List runs. The list reloads itself while one is live."""
    sorting = Sorting.read(request.GET, RUN_COLUMNS, default="requested")
    context: dict[str, Any] = {"page": runs_page(sorting, request.GET.get("page", "1")), "sorting": sorting}
    context["is_live"] = any(row.job.is_live for row in context["page"])
    template = "evaluation/runs/evaluations.html"
    return render(request, f"{template}#run-rows" if request.htmx else template, context)


@staff_required
@require_POST
def repeat_evaluation(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    run = find_run(evaluation_id)
    try:
        again = services.repeat_run(run, by=request.user, request=request)
    except services.RunRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("evaluation:evaluation", run.pk)
    messages.success(request, REQUESTED)
    return redirect("evaluation:evaluation", again.pk)


@staff_required
@require_POST
def cancel_evaluation(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    run = find_run(evaluation_id)
    cancelled = CANCELLED_WITH_ANSWERS if asks_models(run) else CANCELLED
    messages.info(request, cancelled if services.cancel_run(run) else ENDED_ALREADY)
    return redirect("evaluation:evaluation", run.pk)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_evaluation(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    """Show what would go, and delete it once the admin has confirmed."""
    run = find_run(evaluation_id)
    if request.method != "POST":
        return render(request, "evaluation/runs/delete_evaluation.html", {"run": run_row(run)})
    try:
        services.delete_run(run, by=request.user, request=request)
    except services.RunRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("evaluation:evaluation", run.pk)
    messages.success(request, DELETED_WITHOUT_ANSWERS if asks_models(run) else DELETED)
    return redirect("evaluation:evaluations")


def find_run(evaluation_id: int) -> EvaluationRun:
    return get_object_or_404(readable_runs(), pk=evaluation_id)
