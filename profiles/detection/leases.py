"""Who works on which chunk. A lease is a promise with an end: who falls silent loses it, and nothing is lost."""

import uuid
from collections.abc import Collection

from django.db import models, transaction
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Now

from profiles.models import Comment, DetectionChunk, DetectionRun, Unanalysed
from profiles.models.jobs import SILENCE

TRIES = 2  # a chunk that was begun so often and never ended is halved

ENDED = "The worker ended twice while analysing it."


def take_chunk(worker: str, without: Collection[int] = ()) -> DetectionChunk | None:
    """The next chunk of all runs, what people open next first; now it is ours for a while."""
    for run in _runs(without):
        while (chunk := _lease_next(run, worker)) is not None:
            if chunk.attempts <= TRIES:
                return chunk
            _halve(chunk)
    return None


def renew(chunk: DetectionChunk) -> bool:
    """Whether it is still ours."""
    return _held(chunk).update(leased_until=Now() + SILENCE) == 1


def give_back(chunk: DetectionChunk) -> None:
    """Untouched, for somebody else."""
    _held(chunk).update(lease=None, leased_until=None, attempts=F("attempts") - 1)


def finish(chunk: DetectionChunk, *, seconds: float, detections: int) -> bool:
    """Whether it was still ours. In the transaction that writes what was found, before anything else."""
    done = {"done_at": Now(), "seconds": seconds, "found": detections, "lease": None, "leased_until": None}
    return _held(chunk).update(**done) == 1


def comments_of(chunk: DetectionChunk) -> list[tuple[int, str]]:
    """Those that are still there."""
    ids = (chunk.first_comment, chunk.last_comment)
    comments = Comment.objects.filter(profile__corpus=chunk.run.corpus_id, pk__range=ids)
    return list(comments.order_by("pk").values_list("pk", "body"))


def _held(chunk: DetectionChunk) -> "models.QuerySet[DetectionChunk]":
    return DetectionChunk.objects.open().filter(pk=chunk.pk, lease=chunk.lease)


def _runs(without: Collection[int]) -> list[DetectionRun]:
    preferred = DetectionChunk.objects.open().filter(run=OuterRef("pk"), priority__gt=0)
    runs = DetectionRun.objects.active().exclude(pk__in=without).select_related("recipe")
    return list(runs.order_by(Exists(preferred).desc(), "pk"))


def _lease_next(run: DetectionRun, worker: str) -> DetectionChunk | None:
    with transaction.atomic():
        free = run.chunks.free().select_for_update(skip_locked=True, of=("self",))
        chunk = free.order_by("-priority", "pk").first()
        if chunk is None:
            return None
        chunk.run, chunk.lease, chunk.worker = run, uuid.uuid4(), worker[:100]
        chunk.attempts += 1
        chunk.leased_until = Now() + SILENCE
        chunk.save(update_fields=["lease", "worker", "attempts", "leased_until"])
    return chunk


def _halve(chunk: DetectionChunk) -> None:
    """It ended its workers: one of its comments may be the reason. Halved again and again, that one stands alone."""
    ids = [comment for comment, _ in comments_of(chunk)]
    if len(ids) > 1:
        _split(chunk, ids)
        return
    with transaction.atomic():
        if finish(chunk, seconds=0, detections=0):
            failure = {"reason": Unanalysed.Reason.ENDED, "detail": ENDED}
            Unanalysed.objects.bulk_create(
                [Unanalysed(run=chunk.run, comment_id=pk, **failure) for pk in ids], ignore_conflicts=True
            )


def _split(chunk: DetectionChunk, ids: list[int]) -> None:
    half, again = len(ids) // 2, min(chunk.comment_count, 1)  # one that is tried once more counts as none
    with transaction.atomic():
        mine = {"last_comment": ids[half] - 1, "comment_count": half * again, "attempts": TRIES - 1}
        if not _held(chunk).update(**mine, lease=None, leased_until=None):
            return
        DetectionChunk.objects.create(
            run=chunk.run, first_comment=ids[half], last_comment=chunk.last_comment,
            comment_count=max(chunk.comment_count - half, 0) * again, priority=chunk.priority, attempts=TRIES - 1,
        )  # fmt: skip
