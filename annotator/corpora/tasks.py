"""Celery tasks: ingests."""

from annotator.core.celery_app import app
from annotator.core.waiting_jobs import jobs_to_call
from profiles.models import Ingest


@app.task(acks_late=False, ignore_result=True)
def run_ingest(ingest_id: int) -> None:
    """Acknowledge before starting: an ingest may take hours, and no second worker should get it meanwhile."""
    from annotator.corpora import ingest_worker  # noqa: PLC0415 DuckDB: half a second that only ingests pay

    ingest_worker.run(ingest_id)


@app.task(ignore_result=True)
def sweep_ingests() -> None:
    """Queue what was requested while the queue was unreachable: of each corpus the newest, unless another runs."""
    for ingest_id in jobs_to_call(Ingest.objects.newest_waiting()):
        run_ingest.delay(ingest_id)
