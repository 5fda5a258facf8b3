"""Celery tasks: the evaluations of the demo study."""

from typing import Any

from celery import Task

from annotator.core.celery_app import app
from evaluation.spans.demo.runs import DetectionUnfinished, request_demo_runs

ASK_AGAIN_AFTER = 10  # seconds
MAX_ATTEMPTS = 360  # an hour, for slow machines


@app.task(bind=True, ignore_result=True, max_retries=MAX_ATTEMPTS)
def evaluate_demo(self: "Task[Any, Any]") -> None:
    """Request the demo's evaluations, once Presidio has read its corpus."""
    try:
        request_demo_runs()
    except DetectionUnfinished as unfinished:
        raise self.retry(countdown=ASK_AGAIN_AFTER, exc=unfinished) from unfinished
