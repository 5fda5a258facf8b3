"""Let a run that stopped go on, perhaps with a larger budget."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from evaluation.inference import services
from evaluation.inference.forms.continuation import ContinuationForm
from evaluation.inference.plans import SystemKind
from evaluation.llm.stored_endpoints import prices_of
from evaluation.models import EvaluationRun, ModelEndpoint
from evaluation.runs.kinds import KINDS
from evaluation.runs.queries import asks_models, run_row
from evaluation.runs.services import RunRefused
from evaluation.runs.views.runs import REQUESTED, find_run


@staff_required
@require_http_methods(["GET", "HEAD", "POST"])
def continue_inference(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    run = _stopped_run(evaluation_id)
    form = ContinuationForm(request.POST if request.method == "POST" else None, run=run, has_prices=_has_prices(run))
    if form.is_valid():
        try:
            again = services.continue_run(run, form.limit(), by=request.user, request=request)
        except RunRefused as refusal:
            messages.error(request, str(refusal))
            return redirect("evaluation:evaluation", run.pk)
        messages.success(request, REQUESTED)
        return redirect("evaluation:evaluation", again.pk)
    context = {"form": form, "run": run_row(run)}
    return render(request, "evaluation/inference/continue.html", context, status=422 if form.is_bound else 200)


def _stopped_run(evaluation_id: int) -> EvaluationRun:
    """A run of any kind that asks a model and has no report, or 404."""
    run = find_run(evaluation_id)
    kind = KINDS.get(run.kind)
    if kind is None or not kind.goes_on or not asks_models(run) or run.report:
        raise Http404
    return run


def _has_prices(run: EvaluationRun) -> bool:
    """Whether everybody who is asked has prices, so that money can be the limit."""
    if run.settings["system"]["kind"] == SystemKind.ADDRESS:
        return False
    parts = (run.settings["system"], run.settings.get("judge") or {})
    numbers = {part["endpoint"] for part in parts if "endpoint" in part}
    rows = ModelEndpoint.objects.filter(pk__in=numbers)
    return bool(numbers) and [prices_of(row) is not None for row in rows] == [True] * len(numbers)
