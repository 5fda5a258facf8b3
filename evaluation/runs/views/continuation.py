"""Continue a run that stopped, perhaps with a larger budget."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from evaluation.llm.stored_endpoints import prices_of
from evaluation.models import EvaluationRun, ModelEndpoint
from evaluation.runs import services
from evaluation.runs.forms import ContinuationForm
from evaluation.runs.kinds import KINDS
from evaluation.runs.queries import asks_models, run_row
from evaluation.runs.views.runs import REQUESTED, find_run


@staff_required
@require_http_methods(["GET", "HEAD", "POST"])
def continue_evaluation(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    run = _stopped_run(evaluation_id)
    form = ContinuationForm(request.POST if request.method == "POST" else None, run=run, has_prices=_has_prices(run))
    if form.is_valid():
        try:
            again = services.continue_run(run, form.limit(), by=request.user, request=request)
        except services.RunRefused as refusal:
            messages.error(request, str(refusal))
            return redirect("evaluation:evaluation", run.pk)
        messages.success(request, REQUESTED)
        return redirect("evaluation:evaluation", again.pk)
    context = {"form": form, "run": run_row(run)}
    return render(request, "evaluation/runs/continue.html", context, status=422 if form.is_bound else 200)


def _stopped_run(evaluation_id: int) -> EvaluationRun:
    """A run of any kind that asks a model and has no report, or 404."""
    run = find_run(evaluation_id)
    kind = KINDS.get(run.kind)
    if kind is None or not kind.goes_on or not asks_models(run) or run.report:
        raise Http404
    return run


def _has_prices(run: EvaluationRun) -> bool:
    """Whether every model that is asked has prices, so that money can be the limit."""
    models = [part for part in (run.settings["system"], run.settings.get("judge")) if part and "base_url" in part]
    rows = ModelEndpoint.objects.in_bulk([part["endpoint"] for part in models if "endpoint" in part])
    priced = {pk for pk, row in rows.items() if prices_of(row) is not None}
    return bool(models) and all(part.get("endpoint") in priced for part in models)
