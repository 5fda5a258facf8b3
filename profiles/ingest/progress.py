"""How far an ingest is: written down every second by a thread of its own, also while one long step is under way."""

import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

from django.db import DatabaseError, connection
from django.utils import timezone

from profiles.models import Ingest

SHOWN = ("stage", "done", "total", "lines", "kept", "file", "stage_at", "beat_at")


class Progress:
    """The ingest's own row, kept up to date."""

    def __init__(self, ingest: Ingest, tell: Callable[[Ingest], None], every: float = 1.0) -> None:
        self._ingest = ingest
        self._tell = tell
        self._every = every
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="ingest progress", daemon=True)

    def __enter__(self) -> "Progress":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()
        self._tell(self._ingest)

    def begin(self, stage: Ingest.Stage, total: int) -> None:
        """Told before too: how the last stage ended."""
        ingest = self._ingest
        ingest.beat_at = timezone.now()
        self._tell(ingest)
        ingest.stage, ingest.total, ingest.done, ingest.stage_at = stage, total, 0, timezone.now()
        self._write()
        self._tell(ingest)

    def set(self, **shown: object) -> None:
        for name, value in shown.items():
            setattr(self._ingest, name, value)

    def add(self, done: int) -> None:
        self._ingest.done += done

    def _beat(self) -> None:
        """A database that is away for a moment must not end the ingest: the next beat tells again."""
        try:
            while not self._is_over.wait(self._every):
                with suppress(DatabaseError):
                    self._write()
                self._tell(self._ingest)
        finally:
            connection.close()

    def _write(self) -> None:
        self._ingest.beat_at = timezone.now()
        shown = {name: getattr(self._ingest, name) for name in SHOWN}
        Ingest.objects.filter(pk=self._ingest.pk).update(**shown)


def rate(ingest: Ingest) -> float:
    """Of what is counted in this stage, per second."""
    return ingest.done / _seconds(ingest)


def line_rate(ingest: Ingest) -> float:
    return ingest.lines / _seconds(ingest)


def seconds_left(ingest: Ingest) -> float | None:
    """None while nothing is known."""
    now = rate(ingest)
    return (ingest.total - ingest.done) / now if now > 0 and ingest.total else None


def _seconds(ingest: Ingest) -> float:
    return max((ingest.beat_at - ingest.stage_at).total_seconds(), 0.001)
