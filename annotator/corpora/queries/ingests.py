"""How far an ingest is, in words and numbers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from annotator.core.formatting import format_duration, number, percent
from profiles.ingest.progress import line_rate, rate, seconds_left
from profiles.models import Corpus, Ingest
from profiles.models.ingests import SILENT

ENDED = (Ingest.Stage.DONE, Ingest.Stage.STOPPED)


class State(StrEnum):
    WAITING = "waiting"
    OVERDUE = "overdue"  # waits for a worker for longer than one should take
    RUNNING = "running"
    SILENT = "silent"  # was killed, or its machine was
    STOPPED = "stopped"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Progress:
    """One run of the ingest as the panel shows it."""

    state: State
    stage: str
    file: str
    done: int
    total: int
    amount: str  # how much is done, in its unit
    lines: int
    kept: int
    pace: str  # how quick it is, and how long it will take
    problem: str
    files: int
    started_at: datetime
    beat_at: datetime

    @property
    def is_live(self) -> bool:
        """Whether looking again makes sense."""
        return self.state in (State.WAITING, State.OVERDUE, State.RUNNING)

    @property
    def can_go_on(self) -> bool:
        return self.state in (State.OVERDUE, State.SILENT, State.STOPPED)

    @property
    def remark(self) -> str:
        """What is worth knowing of one that reached its end."""
        return self.problem if self.state == State.DONE else ""

    @property
    def told(self) -> str:
        """What is read out: it changes with each stage and each tenth, not with every look."""
        tenth = f", {percent(int(10 * self.done / self.total) / 10)}" if self.total else ""
        return f"{self.stage}{tenth}"


def latest_progress(corpus: Corpus) -> Progress | None:
    """Of the newest ingest; None where the corpus was made in another way. 1 query."""
    ingest = corpus.ingests.order_by("pk").last()
    return progress_of(ingest) if ingest else None


def progress_of(ingest: Ingest) -> Progress:
    state, done = state_of(ingest.stage, ingest.beat_at), min(ingest.done, ingest.total)
    return Progress(
        state=state, stage=ingest.get_stage_display(), file=ingest.file,
        done=done, total=ingest.total, amount=_amount(ingest, done), lines=ingest.lines, kept=ingest.kept,
        pace=_pace(ingest) if state == State.RUNNING else "", problem=ingest.problem,
        files=len(ingest.paths), started_at=ingest.started_at, beat_at=ingest.beat_at,
    )  # fmt: skip


def state_of(stage: str, beat_at: datetime) -> State:
    if stage in ENDED:
        return State(stage)
    is_silent, is_waiting = beat_at < timezone.now() - SILENT, stage == Ingest.Stage.WAITING
    if is_silent:
        return State.OVERDUE if is_waiting else State.SILENT
    return State.WAITING if is_waiting else State.RUNNING


def _amount(ingest: Ingest, done: int) -> str:
    if not ingest.total or ingest.stage in ENDED:
        return ""
    if ingest.stage == Ingest.Stage.LOADING:
        return f"{number(done)} of {number(ingest.total)} comments"
    return f"{filesizeformat(done)} of {filesizeformat(ingest.total)}"


def _pace(ingest: Ingest) -> str:
    """Since this stage began: how quick it was, and how long the rest takes at that."""
    return " · ".join(filter(None, [_rate(ingest), _left(ingest)]))


def _rate(ingest: Ingest) -> str:
    if ingest.stage == Ingest.Stage.LOADING:
        return f"{number(round(rate(ingest)))} comments a second" if ingest.done else ""
    is_known = ingest.stage == Ingest.Stage.READING and ingest.lines and ingest.beat_at > ingest.stage_at
    return f"{number(round(line_rate(ingest)))} lines a second" if is_known else ""


def _left(ingest: Ingest) -> str:
    seconds = seconds_left(ingest)
    return "" if seconds is None else f"{format_duration(timedelta(seconds=max(seconds, 0)))} left"
