"""The progress of detection runs, in words and numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.paginator import Page, Paginator
from django.utils import timezone

from annotator.core.formatting import format_duration, number, percent
from annotator.core.jobs import BADGES, ShownJob, amount_in_words, rate_in_words
from annotator.core.pages import PAGE_SIZE
from annotator.core.sort_order import Sorting
from annotator.detection.queries.tally import Tally, comments_in, tallies
from profiles.jobs.progress import Progress
from profiles.jobs.states import State, resting_state
from profiles.models import Corpus, DetectionRun

LABELS = {
    State.WAITING: "waiting", State.RUNNING: "running", State.PAUSED: "paused", State.CANCELLED: "cancelled",
    State.FAILED: "needs attention", State.FINISHED: "done",
}  # fmt: skip
PLANNING = "planning"  # its comments are being split into chunks


@dataclass(frozen=True, slots=True)
class RunProgress:
    """One run as the list and the panel show it."""

    run: DetectionRun
    tally: Tally
    total: int
    at: datetime

    @property
    def job(self) -> ShownJob:
        state, progress = self.state, Progress(self.done, self.total, self.rate)
        label = PLANNING if state == State.RUNNING and not _is_working(self.tally) else LABELS[state]
        is_blocked = state == State.FAILED
        return ShownJob(
            state, label, BADGES.get(state, ""), progress, amount=f"{percent(progress.share)}, {self.amount}",
            step="Comments", problem=self.run.problem if is_blocked else "", keeps_trying=is_blocked,
        )  # fmt: skip

    @property
    def state(self) -> State:
        return state_of(self.run, self.tally)

    @property
    def is_live(self) -> bool:
        """Whether the page should keep polling. A run with a problem continues as soon as a worker can."""
        return self.state.is_live or self.state == State.FAILED

    @property
    def model(self) -> str:
        return model_of(self.run)

    @property
    def done(self) -> int:
        return min(self.tally.done, self.total)

    @property
    def amount(self) -> str:
        return amount_in_words(Progress(self.done, self.total), "comments")

    @property
    def rate(self) -> float:
        """Comments a second: over the last minute while the run is live, over the whole run afterwards."""
        if self.is_live:
            return self.tally.rate(self.at)
        seconds = (self.ended_at - self.run.requested_at).total_seconds()
        return self.tally.done / max(seconds, 1.0)

    @property
    def rate_shown(self) -> str:
        return rate_in_words(self.rate)

    @property
    def ended_at(self) -> datetime:
        return self.run.finished_at or self.run.cancelled_at or self.at

    @property
    def took(self) -> timedelta:
        return max(self.ended_at - self.run.requested_at, timedelta())

    @property
    def duration(self) -> str:
        return format_duration(self.took)

    @property
    def work(self) -> str:
        """The time that all workers together have spent."""
        return format_duration(timedelta(seconds=self.tally.seconds))

    @property
    def hours_per_million(self) -> str:
        """Hours of one worker per million comments. Empty if nothing is done yet."""
        if not self.tally.done:
            return ""
        return number(round(self.tally.seconds / self.tally.done * 1_000_000 / 3600, 2))


RUN_COLUMNS = {
    "recipe": "run.recipe.name",
    "detections": "-tally.found",
    "rate": "-rate",
    "started": "-run.requested_at",
    "duration": "-took",
}


def runs_page(runs: list[RunProgress], sorting: Sorting, page_number: str) -> "Page[RunProgress]":
    """No query: a corpus has few runs, and most columns are computed."""
    return Paginator(sorting.sort(runs), PAGE_SIZE).get_page(page_number)


def runs_of(corpus: Corpus) -> list[RunProgress]:
    """Newest first. 2 queries, one more while a run is being planned."""
    return _with_progress(list(corpus.runs.select_related("recipe").order_by("-pk")))


def progress_of(run: DetectionRun) -> RunProgress:
    """1 query, one more while the run is being planned."""
    return _with_progress([run])[0]


def other_runs(run: DetectionRun) -> list[DetectionRun]:
    """The runs to compare this one with, newest first. 1 query."""
    others = DetectionRun.objects.filter(corpus=run.corpus_id).exclude(pk=run.pk)
    return list(others.select_related("recipe").order_by("-pk"))


def to_compare(runs: list[RunProgress]) -> list[DetectionRun]:
    """Runs that have analysed some comments. No query."""
    return [progress.run for progress in runs if progress.tally.done]


def state_of(run: DetectionRun, tally: Tally) -> State:
    """The state of a run. Many workers share it, so its chunks show whether it is running."""
    if (rest := resting_state(run)) is not None:
        return rest
    return State.FAILED if run.problem else _state_at_work(run, tally)


def model_of(run: DetectionRun) -> str:
    models: Iterable[dict[str, str]] = run.recipe.contents.get("models", [])
    return ", ".join(f"{model['name']} {model['version']}" for model in models)


def _state_at_work(run: DetectionRun, tally: Tally) -> State:
    is_planning = not run.planned_at and run.planned_to
    return State.RUNNING if _is_working(tally) or is_planning else State.WAITING


def _is_working(tally: Tally) -> bool:
    return bool(tally.under_way or (tally.done and tally.open))


def _with_progress(runs: list[DetectionRun]) -> list[RunProgress]:
    counted, at = tallies(runs), timezone.now()
    expected = comments_in({run.corpus_id for run in runs if _is_unplanned(run)})
    return [_progress(run, counted.get(run.pk, Tally()), expected, at) for run in runs]


def _progress(run: DetectionRun, tally: Tally, expected: dict[int, int], at: datetime) -> RunProgress:
    """Until the run is planned, the total comes from the corpus."""
    more = expected.get(run.corpus_id, 0) if _is_unplanned(run) else 0
    return RunProgress(run, tally, max(tally.cut, more), at)


def _is_unplanned(run: DetectionRun) -> bool:
    return run.planned_at is None and run.finished_at is None
