"""Celery tasks: exports and label imports.

Both are acknowledged before they begin: they may take minutes, and no second worker should get them meanwhile.
"""

from celery import shared_task

from annotator.exchange.export import job as export_job
from annotator.exchange.imports import job as import_job


@shared_task(acks_late=False, ignore_result=True)
def make_export(export_id: int) -> None:
    export_job.run(export_id)


@shared_task(acks_late=False, ignore_result=True)
def import_labels(label_import_id: int) -> None:
    import_job.run(label_import_id)
