"""Measure a scope: read it at one moment of the database, and score it."""

from collections.abc import Callable
from typing import Any

from annotator.exchange.export.snapshot import snapshot
from annotator.models import Batch
from evaluation.models import EvaluationRun
from evaluation.runs.results import CannotMeasure, Measurement
from evaluation.spans.evidence.queries import detection_counts, evidence_records
from evaluation.spans.evidence.report import RESAMPLES, SEED, Contents, score_evidence
from evaluation.spans.evidence.scopes import Scope, Source
from profiles.models import Corpus, DetectionRun

GONE = "The corpus, batch or detection run of this evaluation no longer exists. Start a new evaluation."


def measure_evidence(scope: Scope, *, bootstrap: int = RESAMPLES, seed: int = SEED) -> Contents:
    """The report of a scope. 2 queries, streamed."""
    with snapshot():
        return score_evidence(
            evidence_records(scope), detection_counts(scope), scope.settings(bootstrap=bootstrap, seed=seed)
        )


def measure_run(run: EvaluationRun, tell: Callable[[int, int], object]) -> Measurement:
    """Do an evaluation run of kind `evidence`. Raises CannotMeasure."""
    scope = stored_scope(run)
    if scope is None:
        raise CannotMeasure(GONE)
    tell(0, 1)
    report = measure_evidence(scope, bootstrap=run.settings["bootstrap"], seed=run.settings["seed"])
    tell(1, 1)
    return Measurement(report)


def stored_scope(run: EvaluationRun) -> Scope | None:
    """What the run is about, or None if it is gone. 2 queries, or 1 without a batch."""
    settings: dict[str, Any] = run.settings
    detection_run = (
        DetectionRun.objects.select_related("recipe", "corpus")
        .filter(pk=settings["detection_run"], corpus=run.corpus_id, corpus__in=Corpus.objects.ready())
        .first()
    )
    batch = Batch.objects.filter(pk=settings["batch"]).first() if settings["batch"] else None
    if detection_run is None or (settings["batch"] and batch is None):
        return None
    return Scope(detection_run.corpus, detection_run, batch, Source(settings["source"]))
