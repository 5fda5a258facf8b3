"""What a job is doing, from its row alone."""

from datetime import datetime
from enum import StrEnum

from django.utils import timezone

from profiles.models.jobs import SILENCE, ClaimedJob, Job


class State(StrEnum):
    WAITING = "waiting"
    OVERDUE = "overdue"  # has been waiting for a worker for too long
    RUNNING = "running"
    SILENT = "silent"  # claimed, but its worker or machine was killed
    PAUSED = "paused"
    CANCELLED = "cancelled"
    FAILED = "failed"
    FINISHED = "finished"

    @property
    def is_live(self) -> bool:
        """Whether polling makes sense."""
        return self in (State.WAITING, State.OVERDUE, State.RUNNING)


def state_of(job: ClaimedJob, at: datetime | None = None) -> State:
    since = (at or timezone.now()) - SILENCE
    if (rest := resting_state(job)) is not None:
        return rest
    if job.began_at is None:
        return State.WAITING if job.requested_at >= since else State.OVERDUE
    return State.RUNNING if job.beat_at and job.beat_at >= since else State.SILENT


def resting_state(job: Job) -> State | None:
    """The state of a job that nobody works on: ended or paused. None for one that runs or waits."""
    if job.cancelled_at:
        return State.CANCELLED
    if job.finished_at:
        return State.FAILED if job.has_failed else State.FINISHED
    return State.PAUSED if job.paused_at else None
