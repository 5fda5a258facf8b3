"""Celery tasks: exports, label imports and their undoing.

They are acknowledged before they begin: they may take minutes, and no second worker should get them meanwhile.
"""

from annotator.core.celery_app import app
from annotator.core.waiting_jobs import jobs_to_call
from annotator.exchange.export import job as export_job
from annotator.exchange.imports import job as import_job
from annotator.exchange.imports import undo
from annotator.models import Export, ImportUndo, LabelImport


@app.task(acks_late=False, ignore_result=True)
def make_export(export_id: int) -> None:
    export_job.run(export_id)


@app.task(acks_late=False, ignore_result=True)
def import_labels(label_import_id: int) -> None:
    import_job.run(label_import_id)


@app.task(acks_late=False, ignore_result=True)
def undo_import(undo_id: int) -> None:
    undo.run(undo_id)


@app.task(ignore_result=True)
def sweep_files() -> None:
    """Queue what was requested while the queue was unreachable."""
    for export_id in jobs_to_call(Export.objects.all()):
        make_export.delay(export_id)
    for label_import_id in jobs_to_call(LabelImport.objects.all()):
        import_labels.delay(label_import_id)
    for undo_id in jobs_to_call(ImportUndo.objects.all()):
        undo_import.delay(undo_id)
