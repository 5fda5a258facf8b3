"""Request an evidence run."""

from django.http import HttpRequest

from annotator.models import Annotator
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.runs.services import RunPlan, request_run
from evaluation.spans.evidence.report import RESAMPLES, SEED
from evaluation.spans.evidence.scopes import Scope, Source

SOURCES = {Source.GOLD: "gold evidence", Source.JUDGEMENTS: "evidence of all judgements"}


def request_evidence_run(
    scope: Scope, *, by: Annotator | None = None, request: HttpRequest | None = None
) -> EvaluationRun:
    recipe, place = scope.run.recipe, scope.batch or scope.corpus
    plan = RunPlan(
        kind=EvaluationKind.EVIDENCE,
        name=f"{place}: {SOURCES[scope.source]}",
        system=recipe.name,
        corpus=scope.corpus,
        settings={
            "source": scope.source.value, "batch": scope.batch.pk if scope.batch else None,
            "detection_run": scope.run.pk, "bootstrap": RESAMPLES, "seed": SEED,
        },
        inputs={"scope": scope.name, "recipe": {"name": recipe.name, "digest": recipe.digest}},
    )  # fmt: skip
    return request_run(plan, by=by, request=request)
