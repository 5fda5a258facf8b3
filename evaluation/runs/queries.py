"""Evaluation runs, as their pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.core.paginator import Page
from django.db.models import QuerySet
from django.db.models.functions import Lower

from annotator.core.formatting import format_duration
from annotator.core.jobs import ShownJob, show_job
from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.reports.headlines import Headline, read_headlines
from evaluation.runs.kinds import KINDS
from profiles.jobs.states import State, state_of

PER_PAGE = 25
MAX_RUN_CHOICES = 200


@dataclass(frozen=True, slots=True)
class RunRow:
    pk: int
    name: str
    kind: str
    system: str
    who: str
    requested_at: datetime
    job: ShownJob
    headlines: Sequence[Headline]
    signature: str
    duration: str
    can_continue: bool  # it stopped, and keeps what it has paid for
    keeps_answers: bool  # of models, even when the run is deleted


RUN_COLUMNS = {"name": "lower_name", "requested": "-requested_at"}


def runs_page(sorting: Sorting, number: str = "1") -> "Page[RunRow]":
    """Runs without their reports, which may be large. 2 queries."""
    runs = readable_runs().defer("report").annotate(lower_name=Lower("name")).order_by(*sorting.order)
    return page_of(runs, number, run_row, size=PER_PAGE)


def readable_runs() -> QuerySet[EvaluationRun]:
    """Runs that the pages show, with the related rows that `run_row` needs."""
    return EvaluationRun.objects.select_related("asked_by", "corpus")


def measured_runs() -> list[tuple[int, str]]:
    """Number and title of the newest runs with a report, to choose from. 1 query."""
    rows = EvaluationRun.objects.exclude(report={}).order_by("-pk").values_list("pk", "name", "system")
    return [
        (pk, f"{pk}: {name}" if system in name else f"{pk}: {name} ({system})")
        for pk, name, system in rows[:MAX_RUN_CHOICES]
    ]


def run_row(run: EvaluationRun) -> RunRow:
    return RunRow(
        pk=run.pk, name=run.name, kind=EvaluationKind(run.kind).label, system=run.system,
        who=run.asked_by.display_name if run.asked_by else "command line", requested_at=run.requested_at,
        job=shown_job(run), headlines=read_headlines(run.headline), signature=run.signature,
        duration=format_duration(run.finished_at - run.began_at) if run.finished_at and run.began_at else "",
        can_continue=_can_continue(run), keeps_answers=asks_models(run),
    )  # fmt: skip


def shown_job(run: EvaluationRun) -> ShownJob:
    job = show_job(run, _unit(run), step="Asking the model and the judge" if "judge" in run.settings else "Measuring")
    return replace(job, badge="") if job.state == State.FINISHED else job


def _can_continue(run: EvaluationRun) -> bool:
    kind = KINDS.get(run.kind)
    has_ended = state_of(run) in (State.FAILED, State.CANCELLED, State.SILENT)
    return has_ended and kind is not None and kind.goes_on and asks_models(run)


def asks_models(run: EvaluationRun) -> bool:
    """Whether it asks a model about profiles, or a judge about guesses."""
    return "question" in run.settings or "judge" in run.settings


def _unit(run: EvaluationRun) -> str:
    """Presidio's progress is counted in characters, because documents differ too much in length."""
    if (run.settings.get("system") or {}).get("kind") == "presidio":
        return "characters"
    if "judge" in run.settings:
        return "answers"  # one for each profile, then the judge's
    kind = KINDS.get(run.kind)
    return kind.unit if kind else "documents"
