"""Request runs over defences."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from annotator.models import Annotator
from evaluation.defences.detector_files import DetectorFile, store_detections
from evaluation.defences.plans import NO_ACCOUNTS, DefencePlan
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.runs.services import RunPlan, request_run
from profiles.models import Corpus
from profiles.models.jobs import is_alive


def start_defence_run(
    plan: DefencePlan, *, by: Annotator | None = None, request: HttpRequest | None = None
) -> tuple[EvaluationRun, bool]:
    """The run, and whether it is new. A run with the same settings that is alive is returned instead: two of them
    would ask, and pay for, the same at the same time.
    """
    with transaction.atomic():
        Corpus.objects.select_for_update(no_key=True).get(pk=plan.scope.corpus.pk)
        contents = _comparable(plan.settings())
        live = EvaluationRun.objects.filter(is_alive(), kind=EvaluationKind.DEFENCE, corpus=plan.scope.corpus)
        for run in live.order_by("pk"):
            if _comparable(run.settings) == contents:
                return run, False
        return request_defence_run(plan, by=by, request=request), True


def request_defence_run(
    plan: DefencePlan, *, by: Annotator | None = None, request: HttpRequest | None = None, is_queued: bool = True
) -> EvaluationRun:
    return request_run(run_plan(plan), by=by, request=request, is_queued=is_queued)


def run_plan(plan: DefencePlan) -> RunPlan:
    return RunPlan(
        kind=EvaluationKind.DEFENCE,
        name=plan.title,
        system=plan.system.title,
        settings=plan.settings(),
        corpus=plan.scope.corpus,
        inputs={"scope": plan.scope.name},
        store_more=detections_to_store(plan.detector),
    )


def detections_to_store(detector: DetectorFile | None) -> Callable[[EvaluationRun], None] | None:
    """Stores what another detector's file marks, with a new run."""
    return partial(store_detections, spans=detector.spans) if detector else None


def _comparable(contents: Mapping[str, Any]) -> Any:
    """As Postgres returns it, without the names under which a run pays."""
    return json.loads(json.dumps(dict(contents) | NO_ACCOUNTS))
