"""What workers do for detection: plan a run, work on chunks. Tasks decide when."""

import os
import socket

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from annotator.core.celery_app import app
from annotator.detection.helper import Helper, HelperEnded
from annotator.detection.priorities import prefer
from annotator.models import Batch
from profiles.detection.chunks import plan as cut
from profiles.models import DetectionChunk, DetectionRun

SECONDS = 5.0  # then the worker is free for other tasks
HELPERS: list[Helper] = []  # of this process, one at most
MIN_CALLS = 4  # at a time; more calls than workers do no harm


def plan(run_id: int) -> None:
    """Split the run into chunks, those of open batches first."""
    if not DetectionRun.objects.active().filter(pk=run_id).exists():
        return
    cut(run_id)
    run = DetectionRun.objects.get(pk=run_id)
    for batch in Batch.objects.open().filter(corpus=run.corpus_id, recipe=run.recipe_id):
        prefer(batch)
    DetectionRun.objects.filter(pk=run_id).exclude(Exists(_open_chunks())).update(finished_at=run.planned_at)


def work() -> bool:
    """Detect for a few seconds, in this process's helper. Return whether there may be more to do."""
    helper = _helper_of_this_process()
    try:
        return helper.call()
    except HelperEnded:
        if helper.exit_status != 0:
            raise
        return _helper_of_this_process().call()  # it had just ended because nobody called it


def _helper_of_this_process() -> Helper:
    if not HELPERS or HELPERS[0].has_ended:
        HELPERS[:] = [Helper(_detect)]
    return HELPERS[0]


def _detect() -> bool:
    from profiles.detection import worker  # noqa: PLC0415 Presidio and spaCy: memory that only a helper takes

    return worker.work(f"{socket.gethostname()}:{os.getpid()}", SECONDS)


def unplanned_runs() -> list[int]:
    return list(DetectionRun.objects.active().filter(planned_at=None).values_list("pk", flat=True))


def missing_calls() -> int:
    """How many more calls to queue: one for each chunk in progress, at least MIN_CALLS.

    None if no chunk is free, or while calls are still waiting in the queue.
    """
    free = DetectionChunk.objects.free().filter(run__in=DetectionRun.objects.active())
    if not free.exists() or calls_waiting():
        return 0
    return max(MIN_CALLS, DetectionChunk.objects.under_way().count())


def calls_waiting() -> int:
    with app.connection_for_read() as connection:
        return int(connection.default_channel.client.llen(settings.DETECTION_QUEUE))  # type: ignore[attr-defined]


def _open_chunks() -> "QuerySet[DetectionChunk]":
    return DetectionChunk.objects.open().filter(run=OuterRef("pk"))
