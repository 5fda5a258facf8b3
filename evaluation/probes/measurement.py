"""Measure a run of kind `probe`: ask a model or a baseline about every text, and report on the answers.

The report has numbers only. Texts stay in the run's files, answers among the attempts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings as site

from annotator.core.formatting import number, plural
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import BudgetUnusable, Limit
from evaluation.llm.client import UNREACHED, ModelClient, Standing
from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.requests import Problem
from evaluation.models import EvaluationRun
from evaluation.probes.dreaddit import PROBE
from evaluation.probes.dreaddit.baselines import Baseline, BaselineUnusable, answer_by_baseline, training_items
from evaluation.probes.dreaddit.items import Duplicates, ItemSet, UnreadableItems, read_items
from evaluation.probes.dreaddit.measurement import describe_inputs, drawn_items, measure
from evaluation.probes.genderbench_log import log_parts
from evaluation.probes.model_answers import Answers, ask_model, read_kept_answers
from evaluation.probes.plans import stored_settings, stored_template
from evaluation.probes.records import Item, Variant
from evaluation.probes.report import NothingToMeasure
from evaluation.probes.settings import ProbeSettings
from evaluation.probes.templates import Template, TemplateUnusable
from evaluation.runs.results import CannotMeasure, Measurement
from evaluation.runs.services import stored_files
from evaluation.runs.storage import path_of
from evaluation.runs.systems import OTHER_BASELINE, SystemKind, endpoint_for

FILES_GONE = "The files are no longer on the server. Start a new probe and upload them again."
TEMPLATE_CHANGED = "The template has changed since. Start a new probe."
ANSWERS_GONE = "Some answers of this run are no longer stored, so its log can't be written."
NOT_ACCEPTED = (
    "The endpoint rejects these questions. It may not support this kind of answer: start a new probe with another one."
)
STANDING = "{reason} Answered so far: {answered} of {total}."

Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Task:
    """What a stored run asks, read from its files and settings."""

    run: EvaluationRun
    source: ItemSet
    items: Sequence[Item]
    variants: tuple[Variant, ...]
    settings: ProbeSettings
    template: Template
    baseline: Baseline | None

    @property
    def total(self) -> int:
        return len(self.items) * len(self.variants) * self.settings.repetitions

    @property
    def system(self) -> str:
        return self.baseline.value if self.baseline else str(self.run.settings["system"]["model"])


def measure_probe(run: EvaluationRun, tell: Tell) -> Measurement:
    """Raises CannotMeasure with a sentence, and JobLost once somebody cancelled the run."""
    try:
        task = read_task(run)
        tell(0, task.total)
        answers = _answer_by_baseline(task) if task.baseline else _ask(task, tell)
        tell(task.total, task.total)
        return _report(task, answers)
    except (EndpointRefused, BudgetUnusable, BaselineUnusable, NothingToMeasure) as refusal:
        raise CannotMeasure(str(refusal)) from refusal


def read_task(run: EvaluationRun) -> Task:
    """Raises CannotMeasure if a file is gone or the template isn't the one that the run was requested with."""
    probe, system = run.settings["probe"], run.settings["system"]
    rows = stored_files(run)
    if not rows or not all(path_of(row).exists() for row in rows):
        raise CannotMeasure(FILES_GONE)
    try:
        template = stored_template(probe)
        source = read_items([path_of(row) for row in rows], Duplicates(probe["duplicates"]), [row.name for row in rows])
    except (UnreadableItems, TemplateUnusable) as refusal:
        raise CannotMeasure(str(refusal)) from refusal
    if template.digest != probe["template"]["sha256"]:
        raise CannotMeasure(TEMPLATE_CHANGED)
    settings, baseline = stored_settings(probe), _baseline(system)
    variants = PROBE.with_control(has_control=settings.has_control)
    return Task(run, source, drawn_items(source, settings, baseline), variants, settings, template, baseline)


def _baseline(system: dict[str, Any]) -> Baseline | None:
    if system["kind"] != SystemKind.BASELINE:
        return None
    if system["name"] not in set(Baseline):
        raise CannotMeasure(OTHER_BASELINE)
    return Baseline(system["name"])


# ── Answers ─────────────────────────────────────────────────────────────────


def _answer_by_baseline(task: Task) -> Answers:
    """Raises BaselineUnusable."""
    if task.baseline is None:
        raise ValueError("A model is asked.")
    training = training_items(task.baseline, task.source.items)
    evaluated = answer_by_baseline(
        task.baseline, task.items, task.variants, task.settings.repetitions, task.settings.seed, training=training
    )
    return Answers(evaluated)


def _ask(task: Task, tell: Tell) -> Answers:
    """Ask everything. A run that could not has no report: the gap would rest on some of the answers."""
    stored = task.run.settings
    endpoint, prices = endpoint_for(stored["system"])

    def show(standing: Standing) -> None:
        tell(min(standing.answered + standing.found, task.total), task.total)

    answers = ask_model(
        PROBE.name, task.items, task.variants, task.template, task.settings,
        client=ModelClient(endpoint, task.run.asked_by), budget=Limit.of(stored["budget"]).budget(prices), tell=show,
        account=stored["account"],
    )  # fmt: skip
    if reason := _reason(answers):
        answered = number(task.total - answers.evaluated.unanswered)
        raise CannotMeasure(STANDING.format(reason=reason, answered=answered, total=plural(task.total, "answer")))
    return answers


def _reason(answers: Answers) -> str:
    """Why not everything was answered, if something is left that could be."""
    if answers.problems[Problem.BAD_REQUEST]:
        return NOT_ACCEPTED
    return answers.ended_early or (UNREACHED if answers.problems[Problem.GAVE_UP] else "")


# ── The report, and GenderBench's log ───────────────────────────────────────


def _report(task: Task, answers: Answers) -> Measurement:
    report = measure(
        answers.evaluated, task.source, task.template, task.settings, system=task.system,
        kind="baseline" if task.baseline else "model", version=site.VERSION, problems=answers.problems,
    )  # fmt: skip
    return Measurement(report, inputs=describe_inputs(task.source, task.template))


def write_log(run: EvaluationRun) -> Iterator[str]:
    """The log of a finished run, item by item. Asks nobody. Raises CannotMeasure if files or answers are gone."""
    task = read_task(run)
    answers = _answer_by_baseline(task) if task.baseline else _kept_answers(task)
    if answers.missing > run.report["attempts"]["unanswered"]:
        raise CannotMeasure(ANSWERS_GONE)
    return log_parts(PROBE, answers.evaluated, run.report, task.template, task.settings)


def _kept_answers(task: Task) -> Answers:
    system = task.run.settings["system"]
    attempts = AttemptStore(system["base_url"], system["model"])
    return read_kept_answers(task.items, task.variants, task.template, task.settings, attempts)
