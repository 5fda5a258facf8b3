"""Measure what masking and rewriting protect: the same attack on the same profiles, before and after."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.job_terminal import JobDisplay
from annotator.core.lookups import UnknownName
from evaluation.defences.checks import check_gold
from evaluation.defences.dry_runs import estimate_defences
from evaluation.defences.plans import DEFAULT_KEYS, KEYS, DefencePlan, PlanRefused, recipe_of
from evaluation.defences.population import UnreadablePopulation, read_population
from evaluation.defences.services import request_defence_run
from evaluation.defences.terminal import print_report
from evaluation.inference.settings import RESAMPLES, SEED, Settings
from evaluation.llm.budget import Limit
from evaluation.management.defence_options import add_detector_arguments, chosen_detection, chosen_detector
from evaluation.management.inference_options import (
    add_question_arguments,
    add_scope_arguments,
    add_system_arguments,
    chosen_question,
    chosen_scope,
    chosen_system,
)
from evaluation.management.model_options import chosen_endpoint
from evaluation.management.options import (
    add_bootstrap_arguments,
    add_json_argument,
    check_outputs,
    report_console,
    write_json,
)
from evaluation.models import EvaluationRun
from evaluation.runs import job
from evaluation.runs.systems import System
from evaluation.spans.evidence.scopes import NoDetection


class Command(BaseCommand):
    help = "Attack profiles before and after their comments are masked or rewritten, and report what that protects."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_scope_arguments(parser)
        add_system_arguments(parser)
        add_question_arguments(parser)
        parser.add_argument(
            "--defence", action="append", metavar="NAME",
            help=f"may be repeated; {', '.join(KEYS)} [{', '.join(DEFAULT_KEYS)}]",
        )  # fmt: skip
        parser.add_argument(
            "--rewriter", metavar="URL|NAME", help="an endpoint that rewrites, and infers first [the attacking model]"
        )
        parser.add_argument("--rewriter-model", metavar="NAME", help="at that address; a stored endpoint has its own")
        add_detector_arguments(parser)
        parser.add_argument("--population", type=Path, metavar="FILE", help="a table of counts, for sizes of groups")
        add_bootstrap_arguments(parser, RESAMPLES, SEED)
        parser.add_argument("--dry-run", action="store_true", help="print calls, tokens and cost without asking")
        add_json_argument(parser)

    def handle(self, *args: object, **options: Any) -> None:
        check_outputs(options, ["json"])
        plan = _plan(options)
        for sentence in plan.detector.sentences() if plan.detector else ():
            self.stderr.write(sentence)
        if options["dry_run"]:
            self._estimate(plan, options)
        else:
            self._measure(plan, options)

    def _estimate(self, plan: DefencePlan, options: dict[str, Any]) -> None:
        if not plan.is_asked:
            self.stdout.write("A baseline asks no model and costs nothing.")
            return
        attacker = chosen_endpoint(options) if plan.system.is_asked else None
        rewriter = chosen_endpoint(_as_rewriter(options)) if plan.rewriter else None
        for sentence in estimate_defences(plan, attacker, rewriter).sentences():
            self.stdout.write(sentence)

    def _measure(self, plan: DefencePlan, options: dict[str, Any]) -> None:
        """Do the run here instead of in a worker."""
        run = request_defence_run(plan, is_queued=False)
        with JobDisplay() as display:
            job.run(run.pk, display.counter("Answers"))
        run = EvaluationRun.objects.get(pk=run.pk)
        if not run.report:
            raise CommandError(f"{run.problem or 'It was cancelled.'} See evaluation {run.pk}: /evaluations/{run.pk}/")
        console = report_console(options["json"])
        print_report(run.report, console)
        console.print(f"The whole report is evaluation {run.pk} on the site: /evaluations/{run.pk}/", soft_wrap=True)
        write_json(run.report, options["json"])


def _plan(options: dict[str, Any]) -> DefencePlan:
    scope, (question, prompt) = chosen_scope(options), chosen_question(options)
    keys = options["defence"] or list(DEFAULT_KEYS)
    try:
        recipes = [recipe_of(key, options["seed"]) for key in keys]
        plan = DefencePlan(
            system=chosen_system(options), scope=scope, recipes=recipes,
            detection=chosen_detection(scope, keys, options), detector=chosen_detector(scope, options),
            rewriter=_chosen_rewriter(options), question=question, prompt=prompt,
            population=_population(options["population"]),
            scoring=Settings(bootstrap=options["bootstrap"], seed=options["seed"]),
            limit=Limit(options["budget_tokens"], options["budget_money"]),
        )  # fmt: skip
        check_gold(plan)
    except (PlanRefused, NoDetection, UnknownName) as refusal:
        raise CommandError(str(refusal)) from refusal
    return plan


def _chosen_rewriter(options: dict[str, Any]) -> System | None:
    return chosen_system(_as_rewriter(options)) if options["rewriter"] else None


def _as_rewriter(options: dict[str, Any]) -> dict[str, Any]:
    """The options as if the model that rewrites attacked."""
    return {**options, "baseline": None, "endpoint": options["rewriter"], "model": options["rewriter_model"]}


def _population(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return read_population(path).text
    except OSError as error:
        raise CommandError(f"“{path}” can't be read: {error.strerror}.") from error
    except UnreadablePopulation as refusal:
        raise CommandError(str(refusal)) from refusal
