"""How far an ingest is, stage by stage. Written every second, also while one long step is under way."""

from django.utils import timezone

from profiles.jobs.heartbeat import Heartbeat
from profiles.jobs.progress import Progress as JobProgress
from profiles.models import Ingest


class Progress(Heartbeat[Ingest]):
    """The ingest's own row, kept up to date."""

    columns = ("stage", "done", "total", "lines", "kept", "file", "stage_at")

    def begin(self, stage: Ingest.Stage, total: int) -> None:
        """Shown before too: how the last stage ended."""
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
    """Of what is counted in this stage, since it began."""
    return JobProgress.between(min(ingest.done, ingest.total), ingest.total, ingest.stage_at, ingest.beat_at)


def line_rate(ingest: Ingest) -> float:
    return JobProgress.between(ingest.lines, 0, ingest.stage_at, ingest.beat_at).rate
