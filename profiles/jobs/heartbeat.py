"""Heartbeats from a thread with its own connection, which works even during a long step or beside a snapshot."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from profiles.jobs.claims import JobLost, claim, fail, finish, held, loss_of
from profiles.models.jobs import ClaimedJob

J = TypeVar("J", bound=ClaimedJob)
EVERY = 1.0  # seconds
# Whoever locks the row for longer than this may be waiting for this very thread.
WAIT_FOR_ROW = "SET LOCAL lock_timeout = '1s'"


class Heartbeat(Generic[J]):
    """Keeps a job's row up to date while a worker is on it."""

    columns: Sequence[str] = ("done", "total")

    def __init__(self, job: J, show: Callable[[J], object] = lambda job: None, every: float | None = None) -> None:
        self.job = job
        self._show = show
        self._every = EVERY if every is None else every
        self._lost: JobLost | None = None
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"heartbeat of {job}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()
        self._show(self.job)

    def tell(self, done: int, total: int) -> None:
        """Set the progress, which the next heartbeat writes. Raises JobLost if the job is no longer ours."""
        self.job.done, self.job.total = done, total
        self.check()

    def check(self) -> None:
        if self._lost:
            raise self._lost

    def write(self) -> None:
        self.job.beat_at = timezone.now()
        columns = {name: getattr(self.job, name) for name in ("beat_at", *self.columns)}
        if not held(self.job).update(**columns):
            self._lost = loss_of(self.job)

    def _run(self) -> None:
        repeat_until(self._is_over, self._every, self.write, after=lambda: self._show(self.job))


def repeat_until(
    is_over: threading.Event, every: float, write: Callable[[], object], after: Callable[[], object] = lambda: None
) -> None:
    """Write every few seconds, over a connection of this thread. A short database outage ends nothing."""
    try:
        while not is_over.wait(every):
            with suppress(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(WAIT_FOR_ROW)
                write()
            after()
    finally:
        connection.close()


@contextmanager
def work_on(job: J, *, broke: str, again: bool = False, **columns: Any) -> Iterator[Heartbeat[J]]:
    """Claim the job, keep it alive, and end it: finished, or failed with the sentence `broke` on any exception.

    Raises NotFree if another worker holds it. Code that fails in an expected way calls `fail` itself.
    """
    claim(job, again=again, **columns)
    try:
        with Heartbeat(job) as heartbeat:
            yield heartbeat
    except JobLost:
        raise
    except BaseException:
        fail(job, broke)
        raise
    if held(job).exists():
        finish(job)
