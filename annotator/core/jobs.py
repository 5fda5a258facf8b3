"""How pages and terminals show a job: its state in words, its progress, its rate and the time left."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.template.defaultfilters import filesizeformat

from annotator.core.formatting import format_duration, number, percent
from profiles.jobs.progress import Progress
from profiles.jobs.states import State, state_of
from profiles.models.jobs import ClaimedJob

BADGES = {
    State.RUNNING: "accent", State.SILENT: "warn", State.PAUSED: "warn", State.FAILED: "bad", State.FINISHED: "good",
}  # fmt: skip
LABELS = {
    State.WAITING: "Waiting for a worker", State.OVERDUE: "Waiting for a worker", State.RUNNING: "Running",
    State.SILENT: "Not responding", State.PAUSED: "Paused", State.CANCELLED: "Cancelled", State.FAILED: "Stopped",
    State.FINISHED: "Done",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShownJob:
    """A job as people see it. Each kind of job has its own words; everything else is the same for all."""

    state: State
    label: str
    badge: str
    progress: Progress
    amount: str = ""  # how much is done, with its unit
    rate: str = ""
    step: str = ""  # what it is doing; shown above the bar
    problem: str = ""
    keeps_trying: bool = False  # it has a problem, but continues by itself once that is solved

    @property
    def is_live(self) -> bool:
        """Whether the page should keep polling."""
        return self.state.is_live or self.keeps_trying

    @property
    def done(self) -> int:
        return self.progress.done

    @property
    def total(self) -> int:
        return self.progress.total

    @property
    def percent(self) -> str:
        return percent(self.progress.share) if self.total else ""

    @property
    def left(self) -> str:
        """The time left at the current rate; empty unless the job is live."""
        return time_left(self.progress) if self.is_live else ""

    @property
    def pace(self) -> str:
        return " · ".join(filter(None, [self.rate, self.left]))

    @property
    def announcement(self) -> str:
        """The text for screen readers. It changes with each state and each tenth done, not with every poll."""
        tenth = f", {percent(int(10 * self.progress.share) / 10)}" if self.total else ""
        return f"{self.label[:1].upper()}{self.label[1:]}{tenth}"


def show_job(job: ClaimedJob, unit: str, *, labels: Mapping[State, str] | None = None, step: str = "") -> ShownJob:
    """Show a job that counts in one unit from beginning to end. No query."""
    state, progress = state_of(job), Progress.of(job)
    is_counting = state == State.RUNNING and job.total
    amount = f"{percent(progress.share)}, {amount_in_words(progress, unit)}" if is_counting else ""
    label = (LABELS | dict(labels or {}))[state]
    rate = _rate(progress, unit) if is_counting else ""
    return ShownJob(state, label, BADGES.get(state, ""), progress, amount, rate, step=step, problem=job.problem)


def fragment_context(job: ShownJob, parameters: Mapping[str, str]) -> dict[str, Any]:
    """Context for a panel that polls, so that screen readers announce changes and nothing else."""
    return {"is_fragment": True, "is_news": job.announcement != parameters.get("told")}


def amount_in_words(progress: Progress, unit: str) -> str:
    """`12 of 40 comments`; bytes as file sizes."""
    if unit == "bytes":
        return f"{filesizeformat(progress.done)} of {filesizeformat(progress.total)}"
    return f"{number(progress.done)} of {number(progress.total)} {unit}"


def time_left(progress: Progress) -> str:
    return "" if progress.left is None else f"{format_duration(max(progress.left, timedelta()))} left"


def rate_in_words(rate: float) -> str:
    """A rate per second, with at most one decimal below 10 and none above. Empty if the rate is 0."""
    if 0 < rate < 0.1:
        return "<0.1"
    return number(round(rate, 1) if rate < 10 else round(rate)) if rate else ""


def _rate(progress: Progress, unit: str) -> str:
    """`2.5 profiles a second`, `1 profile a second`; bytes as file sizes."""
    if not progress.rate:
        return ""
    if unit == "bytes":
        return f"{filesizeformat(progress.rate)} a second"
    rate = rate_in_words(progress.rate)
    return f"{rate} {unit.removesuffix('s') if rate == '1' else unit} a second"
