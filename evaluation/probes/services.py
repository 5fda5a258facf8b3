"""Request runs of the probe."""

from django.http import HttpRequest

from annotator.models import Annotator
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.probes.plans import ProbePlan
from evaluation.runs.services import RunPlan, request_run


def request_probe_run(
    plan: ProbePlan, *, by: Annotator | None = None, request: HttpRequest | None = None, is_queued: bool = True
) -> EvaluationRun:
    run = RunPlan(EvaluationKind.PROBE, plan.title, plan.system.title, plan.as_json(), plan.files)
    return request_run(run, by=by, request=request, is_queued=is_queued)
