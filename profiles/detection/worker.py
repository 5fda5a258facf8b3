"""What a worker does: take a chunk, analyse it, and store the results, all or nothing per chunk."""

import time
from collections.abc import Callable

from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from profiles.detection.analysis import Outcome, analyse, analysers_for
from profiles.detection.leases import Renewal, comments_of, finish, give_back, keep_leased, take_chunk
from profiles.detection.presidio import ModelMissing
from profiles.detection.recipes import Contents
from profiles.models import Detection, DetectionChunk, DetectionRun, Unanalysed

AT_ONCE = 256  # comments between two looks at the lease

STILL_THERE = "SELECT id FROM profiles_comment WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE"
COPY = f'COPY {Detection._meta.db_table} (run_id, comment_id, entity_type, start, "end", score) FROM STDIN'


def work(worker: str, seconds: float, clock: Callable[[], float] = time.monotonic) -> bool:
    """Process chunks until the time is up. Return whether there may be more to do."""
    until, cannot = clock() + seconds, set[int]()
    while clock() < until:
        chunk = take_chunk(worker, without=cannot)
        if chunk is None:
            return False
        if not do_chunk(chunk):
            cannot.add(chunk.run_id)
    return True


def do_chunk(chunk: DetectionChunk) -> bool:
    """Process the chunk. Return whether this worker can process chunks of this run: it may lack the model."""
    began, contents = time.monotonic(), Contents.from_json(chunk.run.recipe.contents)
    try:
        with keep_leased(chunk) as lease:
            analysers = analysers_for(contents)
            outcome = _analysed(chunk, lease, lambda texts: analyse(texts, contents, analysers))
    except ModelMissing as error:
        DetectionRun.objects.filter(pk=chunk.run_id).update(problem=str(error))
        give_back(chunk)
        return False
    if outcome is not None and _keep(chunk, outcome, time.monotonic() - began):
        _finish_run(chunk.run)
    return True


def _analysed(chunk: DetectionChunk, lease: Renewal, way: Callable[[list[tuple[int, str]]], Outcome]) -> Outcome | None:
    """Analyse the chunk's comments. None if another worker has the chunk now."""
    comments, outcome = comments_of(chunk), Outcome()
    for at in range(0, len(comments), AT_ONCE):
        if lease.is_lost:
            return None
        outcome.add(way(comments[at : at + AT_ONCE]))
    return outcome


def _keep(chunk: DetectionChunk, outcome: Outcome, seconds: float) -> bool:
    """Store the outcome, and return whether the chunk was still ours.

    Leave out comments that were removed meanwhile, and lock the others, so that none is removed until this is written.
    """
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
    """Finish the run if this was its last chunk. Clear its problem, since a worker could do this chunk."""
    rows = DetectionRun.objects.filter(pk=run.pk)
    if run.problem:
        rows.update(problem="")
    is_open = DetectionChunk.objects.open().filter(run=OuterRef("pk"))
    rows.filter(~Exists(is_open), planned_at__isnull=False, finished_at=None).update(finished_at=Now())
