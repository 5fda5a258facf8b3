"""Celery tasks: takedowns."""

from annotator.core.celery_app import app
from annotator.privacy.touched_tables import vacuum_touched_tables


@app.task(ignore_result=True)
def clean_up_after_takedown() -> None:
    vacuum_touched_tables()
