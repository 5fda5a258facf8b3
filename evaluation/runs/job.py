"""Do an evaluation run in a worker: measure what its kind measures, and store it."""

from contextlib import suppress

import structlog

from evaluation.models import EvaluationRun
from evaluation.runs.kinds import KINDS, Tell
from evaluation.runs.results import CannotMeasure, store
from profiles.jobs.claims import JobLost, NotFree, fail
from profiles.jobs.heartbeat import work_on

log = structlog.get_logger(__name__)

BROKE = (
    "Something went wrong on the server, and the run stopped without a report. Run it again. The log has the details."
)


def run(run_id: int, show: Tell | None = None) -> None:
    """Do the run once, however often it is requested. `show` gets the progress, too."""
    evaluation = EvaluationRun.objects.get(pk=run_id)
    with suppress(NotFree, JobLost), work_on(evaluation, broke=BROKE) as heartbeat:

        def tell(done: int, total: int) -> None:
            if show:
                show(done, total)
            heartbeat.tell(done, total)

        try:
            store(evaluation, KINDS[evaluation.kind].load_measure()(evaluation, tell))
        except CannotMeasure as refusal:
            log.warning("evaluation stopped", evaluation=evaluation.pk)
            fail(evaluation, str(refusal))
