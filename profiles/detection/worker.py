"""What a worker does: take a chunk, analyse it, write down what was found. All of a chunk, or nothing of it."""

import time
from collections.abc import Callable

from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from profiles.detection.analysis import Outcome, analyse, analysers_for
from profiles.detection.leases import comments_of, finish, give_back, renew, take_chunk
from profiles.detection.presidio import ModelMissing
from profiles.detection.recipes import Contents
from profiles.models import Detection, DetectionChunk, DetectionRun, Unanalysed

AT_ONCE = 256  # comments between two looks at the clock
RENEW_AFTER = 8.0  # seconds

STILL_THERE = "SELECT id FROM profiles_comment WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE"
COPY = f'COPY {Detection._meta.db_table} (run_id, comment_id, entity_type, start, "end", score) FROM STDIN'


def work(worker: str, seconds: float, clock: Callable[[], float] = time.monotonic) -> bool:
    """Chunk after chunk until the time is over. Whether there may be more to do."""
    until, cannot = clock() + seconds, set[int]()
    while clock() < until:
        chunk = take_chunk(worker, without=cannot)
        if chunk is None:
            return False
        if not do_chunk(chunk):
            cannot.add(chunk.run_id)
    return True


def do_chunk(chunk: DetectionChunk) -> bool:
    """Whether this worker can do chunks of this run: it may lack the model."""
    began, contents = time.monotonic(), Contents.from_json(chunk.run.recipe.contents)
    try:
        analysers = analysers_for(contents)
    except ModelMissing as error:
        DetectionRun.objects.filter(pk=chunk.run_id).update(problem=str(error))
        give_back(chunk)
        return False
    outcome = _analysed(chunk, lambda texts: analyse(texts, contents, analysers))
    if outcome is not None and _keep(chunk, outcome, time.monotonic() - began):
        _finish_run(chunk.run)
    return True


def _analysed(chunk: DetectionChunk, way: Callable[[list[tuple[int, str]]], Outcome]) -> Outcome | None:
    """None when it took so long that the chunk is somebody else's now."""
    comments, outcome, renewed = comments_of(chunk), Outcome(), time.monotonic()
    for at in range(0, len(comments), AT_ONCE):
        outcome.add(way(comments[at : at + AT_ONCE]))
        if time.monotonic() - renewed > RENEW_AFTER:
            if not renew(chunk):
                return None
            renewed = time.monotonic()
    return outcome


def _keep(chunk: DetectionChunk, outcome: Outcome, seconds: float) -> bool:
    """Comments that were removed meanwhile are left out, and none can be removed until this is written."""
    with transaction.atomic():
        if not finish(chunk, seconds=seconds, detections=len(outcome.detections)):
            return False
        with connection.cursor() as cursor:
            cursor.execute(STILL_THERE, [sorted(outcome.comments)])
            there = {row[0] for row in cursor.fetchall()}
            with cursor.copy(COPY) as copy:
                for comment, span in outcome.detections:
                    if comment in there:
                        copy.write_row((chunk.run_id, comment, span.entity_type, span.start, span.end, span.score))
        Unanalysed.objects.bulk_create(
            (
                Unanalysed(run_id=chunk.run_id, comment_id=comment, reason=reason, detail=detail)
                for comment, reason, detail in outcome.unanalysed
                if comment in there
            ),
            ignore_conflicts=True,
        )
    return True


def _finish_run(run: DetectionRun) -> None:
    """When this was the last chunk. A worker could do it, so whatever was the problem is none."""
    rows = DetectionRun.objects.filter(pk=run.pk)
    if run.problem:
        rows.update(problem="")
    is_open = DetectionChunk.objects.open().filter(run=OuterRef("pk"))
    rows.filter(~Exists(is_open), planned_at__isnull=False, finished_at=None).update(finished_at=Now())
