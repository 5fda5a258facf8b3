"""How far detection runs are, in words and numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.utils import timezone

from annotator.charts.meter import Meter, meter
from annotator.core.formatting import format_duration, number, percent
from annotator.detection.queries.tally import Tally, comments_in, tallies
from profiles.models import Corpus, DetectionRun


class RunState(StrEnum):
    WAITING = "waiting"
    PLANNING = "planning"  # its comments are being cut into chunks
    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    ATTENTION = "needs attention"
    DONE = "done"


LIVE = (RunState.WAITING, RunState.PLANNING, RunState.RUNNING, RunState.ATTENTION)
BADGES = {
    RunState.PLANNING: "accent", RunState.RUNNING: "accent", RunState.PAUSED: "warn", RunState.ATTENTION: "bad",
    RunState.DONE: "good",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunProgress:
    """One run as the list and the panel show it."""

    run: DetectionRun
    tally: Tally
    total: int
    at: datetime

    @property
    def state(self) -> RunState:
        return state_of(self.run, self.tally)

    @property
    def badge(self) -> str:
        return BADGES.get(self.state, "")

    @property
    def is_live(self) -> bool:
        """Whether looking again makes sense."""
        return self.state in LIVE

    @property
    def model(self) -> str:
        return model_of(self.run)

    @property
    def done(self) -> int:
        return min(self.tally.done, self.total)

    @property
    def meter(self) -> Meter:
        return meter(self.done, self.total)

    @property
    def amount(self) -> str:
        return f"{number(self.done)} of {number(self.total)} comments"

    @property
    def told(self) -> str:
        """What is read out: it changes with each state and each tenth, not with every look."""
        tenth = f", {percent(int(10 * self.done / self.total) / 10)}" if self.total else ""
        return f"{self.state.capitalize()}{tenth}"

    @property
    def rate(self) -> float:
        """Comments a second: over the last minute while it is live, over all of it afterwards."""
        if self.is_live:
            return self.tally.rate(self.at)
        seconds = (self.ended_at - self.run.created_at).total_seconds()
        return self.tally.done / max(seconds, 1.0)

    @property
    def rate_shown(self) -> str:
        if 0 < self.rate < 0.1:
            return "<0.1"
        return number(round(self.rate, 1) if self.rate < 10 else round(self.rate)) if self.rate else ""

    @property
    def left(self) -> str:
        """While it runs: how long the rest takes at the rate of the last minute."""
        if not self.is_live or not self.rate:
            return ""
        return f"{format_duration(timedelta(seconds=(self.total - self.done) / self.rate))} left"

    @property
    def ended_at(self) -> datetime:
        return self.run.finished_at or self.run.cancelled_at or self.at

    @property
    def duration(self) -> str:
        return format_duration(max(self.ended_at - self.run.created_at, timedelta()))

    @property
    def work(self) -> str:
        """The time of all workers together."""
        return format_duration(timedelta(seconds=self.tally.seconds))

    @property
    def hours_per_million(self) -> str:
        """What a million comments cost: hours of one worker. Empty where nothing is done yet."""
        if not self.tally.done:
            return ""
        return number(round(self.tally.seconds / self.tally.done * 1_000_000 / 3600, 2))


def runs_of(corpus: Corpus) -> list[RunProgress]:
    """The newest first. 2 queries, one more while a run is being planned."""
    return _with_progress(list(corpus.runs.select_related("recipe").order_by("-pk")))


def progress_of(run: DetectionRun) -> RunProgress:
    """1 query, one more while it is being planned."""
    return _with_progress([run])[0]


def other_runs(run: DetectionRun) -> list[DetectionRun]:
    """What it can be compared with. 1 query."""
    others = DetectionRun.objects.filter(corpus=run.corpus_id).exclude(pk=run.pk)
    return list(others.select_related("recipe").order_by("-pk"))


def to_compare(runs: list[RunProgress]) -> list[DetectionRun]:
    """Those that have been through some comments. No query."""
    return [one.run for one in runs if one.tally.done]


def state_of(run: DetectionRun, tally: Tally) -> RunState:
    if run.cancelled_at:
        return RunState.CANCELLED
    if run.finished_at:
        return RunState.DONE
    if run.paused_at:
        return RunState.PAUSED
    return RunState.ATTENTION if run.problem else _at_work(run, tally)


def model_of(run: DetectionRun) -> str:
    models: Iterable[dict[str, str]] = run.recipe.contents.get("models", [])
    return ", ".join(f"{model['name']} {model['version']}" for model in models)


def _at_work(run: DetectionRun, tally: Tally) -> RunState:
    if tally.under_way or (tally.done and tally.open):
        return RunState.RUNNING
    return RunState.WAITING if run.planned_at or not run.planned_to else RunState.PLANNING


def _with_progress(runs: list[DetectionRun]) -> list[RunProgress]:
    counted, at = tallies(runs), timezone.now()
    expected = comments_in({run.corpus_id for run in runs if _is_unplanned(run)})
    return [_progress(run, counted.get(run.pk, Tally()), expected, at) for run in runs]


def _progress(run: DetectionRun, tally: Tally, expected: dict[int, int], at: datetime) -> RunProgress:
    """Until all is in chunks, the corpus says how much there will be."""
    more = expected.get(run.corpus_id, 0) if _is_unplanned(run) else 0
    return RunProgress(run, tally, max(tally.cut, more), at)


def _is_unplanned(run: DetectionRun) -> bool:
    return run.planned_at is None and run.finished_at is None
