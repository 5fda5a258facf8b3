"""How far along a job is, how fast it goes, and how long the rest takes."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from profiles.models.jobs import ClaimedJob

MIN_SECONDS = 0.001


@dataclass(frozen=True, slots=True)
class Progress:
    """`rate` is in the unit of `done`, per second."""

    done: int
    total: int
    rate: float = 0.0

    @classmethod
    def between(cls, done: int, total: int, began_at: datetime | None, at: datetime | None) -> Self:
        """Progress with the average rate since the work began."""
        if began_at is None or at is None:
            return cls(done, total)
        return cls(done, total, done / max((at - began_at).total_seconds(), MIN_SECONDS))

    @classmethod
    def of(cls, job: ClaimedJob) -> Self:
        return cls.between(min(job.done, job.total), job.total, job.began_at, job.beat_at)

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0

    @property
    def left(self) -> timedelta | None:
        """The time left, or None while it is unknown."""
        if not self.total or self.rate <= 0:
            return None
        return timedelta(seconds=max(self.total - self.done, 0) / self.rate)
