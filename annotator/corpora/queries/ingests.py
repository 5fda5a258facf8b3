"""The progress of an ingest, in words and numbers."""

from dataclasses import dataclass
from datetime import datetime

from annotator.core.formatting import number
from annotator.core.jobs import ShownJob, amount_in_words
from profiles.ingest.progress import line_rate, stage_progress
from profiles.jobs.states import State, state_of
from profiles.models import Corpus, Ingest

ENDED = (Ingest.Stage.DONE, Ingest.Stage.STOPPED)
STOPPED = "Stopped"
NO_REASON = "The import stopped before the end. Everything done so far is kept."


@dataclass(frozen=True, slots=True)
class IngestPanel:
    """One ingest as its panel shows it."""

    job: ShownJob
    lines: int
    kept: int
    files: int
    requested_at: datetime
    beat_at: datetime | None
    remark: str  # what is worth knowing about a finished ingest

    @property
    def is_live(self) -> bool:
        return self.job.is_live

    @property
    def is_done(self) -> bool:
        return self.job.state == State.FINISHED

    @property
    def can_resume(self) -> bool:
        return self.job.state in (State.OVERDUE, State.SILENT, State.FAILED)


def latest_ingest(corpus: Corpus) -> IngestPanel | None:
    """The newest ingest; None if the corpus was made in another way. 1 query."""
    ingest = corpus.ingests.order_by("pk").last()
    return ingest_panel(ingest) if ingest else None


def ingest_panel(ingest: Ingest) -> IngestPanel:
    """No query."""
    job = _shown(ingest)
    return IngestPanel(
        job=job, lines=ingest.lines, kept=ingest.kept, files=len(ingest.paths), requested_at=ingest.requested_at,
        beat_at=ingest.beat_at, remark=ingest.problem if job.state == State.FINISHED else "",
    )  # fmt: skip


def _shown(ingest: Ingest) -> ShownJob:
    state, stage = state_of(ingest), ingest.get_stage_display()
    return ShownJob(
        state=state, label=stage if state.is_live else STOPPED, badge="accent" if state.is_live else "warn",
        progress=stage_progress(ingest), amount=_amount(ingest), rate=_rate(ingest) if state == State.RUNNING else "",
        step=f"{stage}: {ingest.file}" if ingest.file else stage,
        problem=(ingest.problem or NO_REASON) if ingest.has_failed else "",
    )  # fmt: skip


def _amount(ingest: Ingest) -> str:
    if not ingest.total or ingest.stage in ENDED:
        return ""
    return amount_in_words(stage_progress(ingest), "comments" if ingest.stage == Ingest.Stage.LOADING else "bytes")


def _rate(ingest: Ingest) -> str:
    """The rate since this stage began."""
    if ingest.stage == Ingest.Stage.LOADING:
        return f"{number(round(stage_progress(ingest).rate))} comments a second" if ingest.done else ""
    is_known = ingest.stage == Ingest.Stage.READING and ingest.lines and ingest.beat_at != ingest.stage_at
    return f"{number(round(line_rate(ingest)))} lines a second" if is_known else ""
