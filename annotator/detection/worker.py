"""What workers do for detection, and how it is kept going: Postgres has the state, the broker only calls."""

import os
import socket

from celery import current_app
from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from annotator import tasks
from annotator.detection.services import prefer
from annotator.models import Batch
from profiles.detection.chunks import plan as cut
from profiles.models import DetectionChunk, DetectionRun

SECONDS = 5.0  # a worker then looks whether there is something else to do
AT_LEAST = 4  # calls in one go: more than there are workers does no harm


def plan(run_id: int) -> None:
    """Cut the run into chunks and call for workers. Open batches come first."""
    if not DetectionRun.objects.active().filter(pk=run_id).exists():
        return
    cut(run_id)
    run = DetectionRun.objects.get(pk=run_id)
    for batch in Batch.objects.open().filter(corpus=run.corpus_id, recipe=run.recipe_id):
        prefer(batch)
    DetectionRun.objects.filter(pk=run_id).exclude(Exists(_open_chunks())).update(finished_at=run.planned_at)
    call_workers()


def work() -> None:
    """Some seconds of detection, then at the end of the queue again, so that nothing else waits long."""
    from profiles.detection import worker  # noqa: PLC0415 Presidio and spaCy: seconds that only this task pays

    if worker.work(f"{socket.gethostname()}:{os.getpid()}", SECONDS):
        tasks.detect.delay()


def sweep() -> None:
    """What was lost is called for again: a plan that was broken off, chunks whose worker has fallen silent."""
    for run in DetectionRun.objects.active().filter(planned_at=None):
        tasks.plan_detection.delay(run.pk)
    call_workers()


def call_workers() -> None:
    """Twice as many as there are, until some wait in the queue: then all are busy."""
    free = DetectionChunk.objects.free().filter(run__in=DetectionRun.objects.active())
    if not free.exists() or _calls_waiting():
        return
    for _ in range(max(AT_LEAST, DetectionChunk.objects.under_way().count())):
        tasks.detect.delay()


def _open_chunks() -> "QuerySet[DetectionChunk]":
    return DetectionChunk.objects.open().filter(run=OuterRef("pk"))


def _calls_waiting() -> int:
    with current_app.connection_for_read() as connection:
        return int(connection.default_channel.client.llen(settings.DETECTION_QUEUE))  # type: ignore[attr-defined]
