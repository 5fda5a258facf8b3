"""Celery tasks: ingests."""

from celery import shared_task


@shared_task(acks_late=False, ignore_result=True)
def run_ingest(ingest_id: int) -> None:
    """Acknowledged before it begins: it may take hours, and no second worker should get it meanwhile."""
    from annotator.corpora import ingest_worker  # noqa: PLC0415 DuckDB and pyarrow: half a second that only ingests pay

    ingest_worker.run(ingest_id)
