"""Do an evaluation run in a worker: read the files, run the system if it is ours, measure, store."""

from collections.abc import Callable
from contextlib import suppress

import structlog

from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.spans.evidence.measurement import measure_run as measure_evidence
from evaluation.spans.measurement import measure_spans
from evaluation.spans.results import CannotMeasure, Measurement, store
from profiles.jobs.claims import JobLost, NotFree, fail
from profiles.jobs.heartbeat import work_on

log = structlog.get_logger(__name__)

BROKE = "It stopped because something went wrong on the server; the log says what. Nothing was stored. Run it again."

Tell = Callable[[int, int], None]
# What measures each kind of run. `tell` takes the progress, and raises JobLost once somebody cancelled it.
MEASURES: dict[str, Callable[[EvaluationRun, Tell], Measurement]] = {
    EvaluationKind.SPANS: measure_spans,
    EvaluationKind.EVIDENCE: measure_evidence,
}


def run(run_id: int) -> None:
    """Do the run once, however often it is requested."""
    evaluation = EvaluationRun.objects.get(pk=run_id)
    with suppress(NotFree, JobLost), work_on(evaluation, broke=BROKE) as heartbeat:
        try:
            store(evaluation, MEASURES[evaluation.kind](evaluation, heartbeat.tell))
        except CannotMeasure as refusal:
            log.warning("evaluation stopped", evaluation=evaluation.pk)
            fail(evaluation, str(refusal))
