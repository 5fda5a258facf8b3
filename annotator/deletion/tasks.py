"""Celery tasks: deletions of corpora."""

from annotator.core.celery_app import app
from annotator.core.waiting_jobs import jobs_to_call
from annotator.models import CorpusDeletion
from profiles.models.jobs import is_silent, is_unfinished


@app.task(ignore_result=True)
def delete_corpus(deletion_id: int) -> None:
    from annotator.deletion import job  # noqa: PLC0415 DuckDB: half a second that only workers pay

    job.run(deletion_id)


@app.task(ignore_result=True)
def sweep_deletions() -> None:
    """Queue deletions again whose worker was killed, or that were requested while the queue was unreachable."""
    for pk in CorpusDeletion.objects.filter(is_unfinished() & is_silent()).values_list("pk", flat=True):
        delete_corpus.delay(pk)
    for pk in jobs_to_call(CorpusDeletion.objects.all()):
        delete_corpus.delay(pk)
