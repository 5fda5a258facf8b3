"""What a job is doing, from its row alone."""

from datetime import datetime
from enum import StrEnum

from django.utils import timezone

from profiles.models.jobs import SILENCE, ClaimedJob, Job


class State(StrEnum):
    WAITING = "waiting"
    OVERDUE = "overdue"  # has waited for a worker for longer than one should take
    RUNNING = "running"
    SILENT = "silent"  # claimed, but killed, or its machine was
    PAUSED = "paused"
    CANCELLED = "cancelled"
    FAILED = "failed"
    FINISHED = "finished"

    @property
    def is_live(self) -> bool:
        """Whether looking again makes sense."""
        return self in (State.WAITING, State.OVERDUE, State.RUNNING)


def state_of(job: ClaimedJob, at: datetime | None = None) -> State:
    since = (at or timezone.now()) - SILENCE
    if (rest := resting_state(job)) is not None:
        return rest
    if job.began_at is None:
        return State.WAITING if job.requested_at >= since else State.OVERDUE
    return State.RUNNING if job.beat_at and job.beat_at >= since else State.SILENT


def resting_state(job: Job) -> State | None:
    """None where somebody works on it, or should."""
    if job.cancelled_at:
        return State.CANCELLED
    if job.finished_at:
        return State.FAILED if job.has_failed else State.FINISHED
    return State.PAUSED if job.paused_at else None
