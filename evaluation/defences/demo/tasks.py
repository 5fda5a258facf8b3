"""Celery tasks: the run over defences of the demo study."""

from typing import Any

from celery import Task

from annotator.core.celery_app import app
from evaluation.defences.demo.runs import request_demo_run
from evaluation.spans.demo.tasks import ASK_AGAIN_AFTER, MAX_ATTEMPTS
from evaluation.spans.evidence.scopes import NoDetection


@app.task(bind=True, ignore_result=True, max_retries=MAX_ATTEMPTS)
def defend_demo(self: "Task[Any, Any]") -> None:
    """Request the run, once Presidio has read the demo corpus."""
    try:
        request_demo_run()
    except NoDetection as unfinished:
        raise self.retry(countdown=ASK_AGAIN_AFTER, exc=unfinished) from unfinished
