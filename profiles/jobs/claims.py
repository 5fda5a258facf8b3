"""Who works on a job: claim it, send heartbeats, end it. A worker never writes to a job that it no longer holds."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from profiles.models.jobs import ClaimedJob, Job, is_silent, is_unfinished

TAKEN_OVER = "Another worker took over."


class NotFree(Exception):
    """Another worker holds this job and is alive, or there is nothing left to do."""


class JobLost(Exception):
    """This worker must stop. What it has done so far is kept."""


class TakenOver(JobLost):
    """This worker was silent for too long, and another took over."""


class Paused(JobLost):
    """Somebody paused the job."""


class Cancelled(JobLost):
    """Somebody cancelled the job."""


def claim(job: ClaimedJob, *, again: bool = False, **columns: Any) -> None:
    """Claim the job, or raise NotFree. A single UPDATE settles the race between two claimants.

    A job is free if it is waiting or silent. With `again`, for jobs that are repeated, it is also free once it has
    ended. A paused job is never free.
    """
    now = timezone.now()
    ended = Q(finished_at__isnull=False) | Q(cancelled_at__isnull=False) if again else Q(pk=None)
    free = Q(paused_at=None) & (ended | is_unfinished() & (Q(began_at=None) | is_silent(now)))
    fresh = {"began_at": now, "beat_at": now, "finished_at": None, "cancelled_at": None, "problem": "", "done": 0}
    if not _row(job).filter(free).update(**fresh | columns):
        raise NotFree
    _copy(job, fresh | columns)


def beat(job: ClaimedJob, **columns: Any) -> None:
    """Send a heartbeat, and record the progress. Raises JobLost if the job is no longer ours."""
    _write(job, beat_at=timezone.now(), **columns)


def finish(job: ClaimedJob, **columns: Any) -> None:
    now = timezone.now()
    _write(job, finished_at=now, beat_at=now, **({"problem": ""} | columns))


def fail(job: ClaimedJob, problem: str, **columns: Any) -> bool:
    """End the job with a sentence for people. Return whether it was still ours."""
    now = timezone.now()
    return bool(held(job).update(finished_at=now, beat_at=now, problem=problem, **columns))


def pause(job: Job) -> bool:
    """Pause the job, and return whether that changed anything. Its worker notices at the next heartbeat."""
    return bool(_unfinished(job).filter(paused_at=None).update(paused_at=timezone.now()))


def resume(job: Job) -> bool:
    """Let a paused job wait for a worker again, and return whether that changed anything."""
    let_go = {"began_at": None} if isinstance(job, ClaimedJob) else {}
    return bool(_unfinished(job).filter(paused_at__isnull=False).update(paused_at=None, **let_go))


def cancel(job: Job) -> bool:
    return bool(_unfinished(job).update(cancelled_at=timezone.now(), paused_at=None))


def held(job: ClaimedJob) -> QuerySet[Any]:
    """The job's row, as long as it is ours."""
    return _unfinished(job).filter(began_at=job.began_at, paused_at=None)


def loss_of(job: ClaimedJob) -> JobLost | None:
    """Why the job is no longer ours. None if the row cannot be seen: it is deleted, or not committed yet."""
    row = _row(job).first()
    if row is None:
        return None
    if row.cancelled_at:
        return Cancelled("Somebody cancelled it.")
    return Paused("Somebody paused it.") if row.paused_at else TakenOver(TAKEN_OVER)


def _write(job: ClaimedJob, **columns: Any) -> None:
    if not held(job).update(**columns):
        raise loss_of(job) or TakenOver(TAKEN_OVER)
    _copy(job, columns)


def _copy(job: Job, columns: Mapping[str, Any]) -> None:
    for name, value in columns.items():
        setattr(job, name, value)


def _unfinished(job: Job) -> QuerySet[Any]:
    return _row(job).filter(is_unfinished())


def _row(job: Job) -> QuerySet[Any]:
    return type(job)._default_manager.filter(pk=job.pk)
