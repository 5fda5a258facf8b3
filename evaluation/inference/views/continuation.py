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
from evaluation.llm.stored import prices_of
from evaluation.models import EvaluationRun, ModelEndpoint
from evaluation.runs.kinds import KINDS
from evaluation.runs.queries import run_row
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
    if kind is None or not kind.goes_on or "question" not in run.settings or run.report:
        raise Http404
    return run


def _has_prices(run: EvaluationRun) -> bool:
    system = run.settings["system"]
    row = ModelEndpoint.objects.filter(pk=system["endpoint"]).first() if system["kind"] == SystemKind.ENDPOINT else None
    return row is not None and prices_of(row) is not None
