"""Who works on which chunk. A lease expires, so a worker that goes silent loses its chunk, and nothing is lost."""

import threading
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.db import models, transaction
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Now

from profiles.jobs.heartbeat import repeat_until
from profiles.models import Comment, DetectionChunk, DetectionRun, Unanalysed
from profiles.models.jobs import SILENCE

RENEW_EVERY = 8.0  # seconds, a fraction of SILENCE
TRIES = 2  # a chunk that was started this often and never finished is halved

ENDED = "The worker crashed twice while analysing this comment."


def take_chunk(worker: str, without: Collection[int] = ()) -> DetectionChunk | None:
    """Lease the next chunk of all runs, starting with those that people open next. None if there is none."""
    for run in _runs(without):
        while (chunk := _lease_next(run, worker)) is not None:
            if chunk.attempts <= TRIES:
                return chunk
            _halve(chunk)
    return None


class Renewal:
    """Renews a lease now and then, and notices when another worker has the chunk."""

    def __init__(self, chunk: DetectionChunk) -> None:
        self.chunk, self.is_lost = chunk, False

    def renew(self) -> None:
        if not renew(self.chunk):
            # A chunk that cannot be seen is not lost: this may be another connection than the one that took it.
            self.is_lost = DetectionChunk.objects.filter(pk=self.chunk.pk).exclude(lease=self.chunk.lease).exists()


@contextmanager
def keep_leased(chunk: DetectionChunk) -> Iterator[Renewal]:
    """Renew the lease by a timer, from a thread with its own connection, however long one comment takes."""
    renewal, is_over = Renewal(chunk), threading.Event()
    arguments = (is_over, RENEW_EVERY, renewal.renew)
    thread = threading.Thread(target=repeat_until, args=arguments, name=f"lease of {chunk}", daemon=True)
    thread.start()
    try:
        yield renewal
    finally:
        is_over.set()
        thread.join()


def renew(chunk: DetectionChunk) -> bool:
    """Extend the lease, and return whether the chunk is still ours."""
    return _held(chunk).update(leased_until=Now() + SILENCE) == 1


def give_back(chunk: DetectionChunk) -> None:
    """Release the chunk for another worker, as if it had never been started."""
    _held(chunk).update(lease=None, leased_until=None, attempts=F("attempts") - 1)


def finish(chunk: DetectionChunk, *, seconds: float, detections: int) -> bool:
    """Mark the chunk as done, and return whether it was still ours.

    Call this in the transaction that writes the detections, before anything else.
    """
    done = {"done_at": Now(), "seconds": seconds, "found": detections, "lease": None, "leased_until": None}
    return _held(chunk).update(**done) == 1


def comments_of(chunk: DetectionChunk) -> list[tuple[int, str]]:
    """The chunk's comments that still exist, as id and text."""
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
    """Halve a chunk that killed its workers, which in the end isolates the comment at fault."""
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
    half, again = len(ids) // 2, min(chunk.comment_count, 1)  # a retried comment counts as none
    with transaction.atomic():
        mine = {"last_comment": ids[half] - 1, "comment_count": half * again, "attempts": TRIES - 1}
        if not _held(chunk).update(**mine, lease=None, leased_until=None):
            return
        DetectionChunk.objects.create(
            run=chunk.run, first_comment=ids[half], last_comment=chunk.last_comment,
            comment_count=max(chunk.comment_count - half, 0) * again, priority=chunk.priority, attempts=TRIES - 1,
        )  # fmt: skip
