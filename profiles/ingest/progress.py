"""The progress of an ingest, stage by stage. Written every second, even during a single long step."""

from django.utils import timezone

from profiles.jobs.heartbeat import Heartbeat
from profiles.jobs.progress import Progress as JobProgress
from profiles.models import Ingest


class Progress(Heartbeat[Ingest]):
    """Keeps the ingest's own row up to date."""

    columns = ("stage", "done", "total", "lines", "kept", "file", "stage_at")

    def begin(self, stage: Ingest.Stage, total: int) -> None:
        """Begin a stage, after showing how the last one ended."""
        ingest = self.job
        ingest.beat_at = timezone.now()
        self._show(ingest)
        ingest.stage, ingest.total, ingest.done, ingest.stage_at = stage, total, 0, timezone.now()
        self.write()
        self.check()
        self._show(ingest)

    def set(self, **shown: object) -> None:
        for name, value in shown.items():
            setattr(self.job, name, value)

    def add(self, done: int) -> None:
        self.job.done += done


def stage_progress(ingest: Ingest) -> JobProgress:
    """The progress within the current stage, since it began."""
    return JobProgress.between(min(ingest.done, ingest.total), ingest.total, ingest.stage_at, ingest.beat_at)


def line_rate(ingest: Ingest) -> float:
    return JobProgress.between(ingest.lines, 0, ingest.stage_at, ingest.beat_at).rate
