"""Celery tasks: detection. Postgres has the state; these only call the workers to it."""

from celery import shared_task

from annotator.detection import worker


@shared_task(ignore_result=True)
def plan_detection(run_id: int) -> None:
    worker.plan(run_id)
    _call_workers()


@shared_task(ignore_result=True)
def detect() -> None:
    """A few seconds of work, then back to the end of the queue, so that nothing else waits long."""
    if worker.work():
        detect.delay()


@shared_task(ignore_result=True)
def sweep_detection() -> None:
    """Call again for what was lost: plans that were interrupted, chunks whose worker fell silent."""
    for run_id in worker.unplanned_runs():
        plan_detection.delay(run_id)
    _call_workers()


def _call_workers() -> None:
    for _ in range(worker.missing_calls()):
        detect.delay()
