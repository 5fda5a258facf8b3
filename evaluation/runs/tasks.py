"""Celery tasks: evaluation runs.

They are acknowledged before they begin: they may take minutes, and no second worker should get them meanwhile.
"""

from annotator.core.celery_app import app
from annotator.core.waiting_jobs import jobs_to_call, killed_jobs
from evaluation.models import EvaluationRun
from evaluation.runs.kinds import KINDS


@app.task(acks_late=False, ignore_result=True)
def evaluate(run_id: int) -> None:
    from evaluation.runs import job  # noqa: PLC0415 imports numpy, which pages don't need

    job.run(run_id)


@app.task(ignore_result=True)
def sweep_evaluations() -> None:
    """Queue what was requested while the queue was unreachable, and what was killed and can go on."""
    going_on = EvaluationRun.objects.filter(kind__in=[name for name, kind in KINDS.items() if kind.goes_on])
    for run_id in [*jobs_to_call(EvaluationRun.objects.all()), *killed_jobs(going_on)]:
        evaluate.delay(run_id)
