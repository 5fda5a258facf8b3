"""Celery tasks: detection. The state is in Postgres; these tasks only make workers look at it."""

from annotator.core.celery_app import app
from annotator.detection import worker


@app.task(ignore_result=True)
def plan_detection(run_id: int) -> None:
    worker.plan(run_id)
    _call_workers()


@app.task(ignore_result=True)
def detect() -> None:
    """Work for a few seconds, then go back to the end of the queue, so that nothing else waits long."""
    if worker.work():
        detect.delay()


@app.task(ignore_result=True)
def sweep_detection() -> None:
    """Queue lost work again: interrupted plans, and chunks whose worker went silent."""
    for run_id in worker.unplanned_runs():
        plan_detection.delay(run_id)
    _call_workers()


def _call_workers() -> None:
    for _ in range(worker.missing_calls()):
        detect.delay()
