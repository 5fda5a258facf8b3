"""Celery tasks: takedowns."""

from celery import shared_task

from annotator.privacy.touched_tables import vacuum_touched_tables


@shared_task(ignore_result=True)
def clean_up_after_takedown() -> None:
    vacuum_touched_tables()
