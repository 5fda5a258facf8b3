"""Ask a language model, or a baseline, about the profiles of a corpus that have gold."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import number, plural
from annotator.core.job_terminal import JobDisplay
from annotator.core.lookups import UnknownName
from evaluation.inference import services
from evaluation.inference.baselines import BASELINES, predict
from evaluation.inference.dry_runs import estimate, estimate_judge
from evaluation.inference.gold_profiles import GoldProfile, baseline_profiles
from evaluation.inference.judge.prompts import load_judge_prompt
from evaluation.inference.model_answers import Inference, infer_attributes
from evaluation.inference.plans import InferencePlan
from evaluation.inference.prediction_lines import prediction_line
from evaluation.inference.prompt_store import PromptGone, prompt_named
from evaluation.inference.prompts import CURRENT, Prompt
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.records import Prediction
from evaluation.inference.scopes import Scope
from evaluation.inference.settings import SEED, Settings
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Limit
from evaluation.llm.client import ModelClient
from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.management.model_options import (
    add_model_options,
    chosen_budget,
    chosen_endpoint,
    is_address,
    named_endpoint,
    show_progress,
)
from evaluation.management.options import chosen_corpus
from evaluation.models import EvaluationRun, ModelEndpoint
from evaluation.reports.headlines import read_headlines
from evaluation.runs import job
from evaluation.runs.systems import System

DEFAULTS = QuestionSettings()
NO_GOLD = "No profile has gold yet. Label profiles and build gold first (bin/manage build_gold)."
ONE_OUTPUT = "Use --out to write a file or --store to keep a run on the site, not both."
JUDGE_NEEDS_STORE = "A judge works only on scored runs. Use --judge together with --store."
NO_OUTPUT = "Name a file for the predictions with --out, keep a run with --store, or try --dry-run first."


class Command(BaseCommand):
    help = "Ask a language model what the comments of profiles give away, and write its guesses beside the gold."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--corpus", metavar="NAME", required=True)
        parser.add_argument("--batch", metavar="NAME", help="only profiles with gold of this batch [all]")
        parser.add_argument("--limit", type=int, metavar="N", help="at most this many profiles [all]")
        add_model_options(parser)
        parser.add_argument("--baseline", choices=list(BASELINES), metavar="NAME", help=", ".join(BASELINES))
        _add_question(parser)
        parser.add_argument(
            "--dry-run", action="store_true", help="print calls, tokens and cost without asking anything"
        )
        parser.add_argument("--out", type=Path, metavar="FILE", help="where the predictions go")
        parser.add_argument("--store", action="store_true", help="score them, and keep the run on the site")
        parser.add_argument("--judge", metavar="NAME", help="a stored endpoint that reviews what the rules mark wrong")

    def handle(self, *args: object, **options: Any) -> None:
        scope, (settings, prompt) = _scope(options), _question(options)
        profiles = scope.profiles()
        if not profiles:
            raise CommandError(NO_GOLD)
        if options["dry_run"]:
            self._estimate(profiles, settings, options)
            return
        _check_out(options)
        if options["store"]:
            limit, judge = Limit(options["budget_tokens"], options["budget_money"]), _judge(options)
            self._store(
                InferencePlan(_system(options), scope=scope, question=settings, prompt=prompt, limit=limit, judge=judge)
            )
            return
        self._write(profiles, settings, options)

    def _estimate(self, profiles: Sequence[GoldProfile], settings: QuestionSettings, options: dict[str, Any]) -> None:
        if judge := _judge(options):
            for sentence in estimate_judge(profiles, Settings(), load_judge_prompt(), prices_of(judge)).sentences():
                self.stdout.write(sentence)
        if options["baseline"]:
            self.stdout.write("A baseline asks no model and costs nothing.")
            return
        attempts, prices = None, None
        if options["endpoint"]:
            endpoint, prices = chosen_endpoint(options)
            attempts = AttemptStore(endpoint.base_url, endpoint.model)
        for sentence in estimate(profiles, settings, prompt_named(settings.prompt), attempts, prices).sentences():
            self.stdout.write(sentence)

    def _store(self, plan: InferencePlan) -> None:
        """Do the run here instead of in a worker."""
        run = services.request_inference_run(plan, is_queued=False)
        with JobDisplay() as display:
            job.run(run.pk, display.counter("Profiles"))
        run = EvaluationRun.objects.get(pk=run.pk)
        if not run.report:
            raise CommandError(
                f"{run.problem or 'It was cancelled.'} See evaluation {run.pk} on the site: /evaluations/{run.pk}/"
            )
        for headline in read_headlines(run.headline):
            self.stdout.write(f"{headline.label}: {headline.shown} {headline.detail}".rstrip())
        self.stdout.write(f"The whole report is evaluation {run.pk} on the site: /evaluations/{run.pk}/")

    def _write(self, profiles: Sequence[GoldProfile], settings: QuestionSettings, options: dict[str, Any]) -> None:
        if options["baseline"]:
            predictions = predict(options["baseline"], list(baseline_profiles(profiles)), seed=SEED)
            _write(options["out"], profiles, options["baseline"], predictions)
            self.stdout.write(f"{plural(len(predictions), 'profile')} answered, in {options['out'].name}.")
            return
        endpoint, prices = chosen_endpoint(options)
        budget = chosen_budget(options, prices)
        inference = infer_attributes(
            profiles, ModelClient(endpoint), settings, budget=budget, tell=show_progress(self),
            prompt=prompt_named(settings.prompt),
        )  # fmt: skip
        _write(options["out"], profiles, endpoint.model, inference.predictions)
        self._sum_up(profiles, inference, options["out"])

    def _sum_up(self, profiles: Sequence[GoldProfile], inference: Inference, out: Path) -> None:
        answered = len(inference.predictions)
        self.stdout.write(f"{number(answered)} of {plural(len(profiles), 'profile')} answered, in {out.name}.")
        for counts in (inference.forms, inference.problems):
            self.stdout.write("".join(f"  {name}: {number(count)}\n" for name, count in counts.items()), ending="")
        if inference.cut_profiles:
            left_out = plural(inference.left_out, "comment")
            self.stdout.write(f"{plural(inference.cut_profiles, 'profile')} did not fit: {left_out} left out.")
        if inference.ended_early:
            raise CommandError(inference.ended_early)
        self.stdout.write(f"Score them with: bin/manage score_attributes --predictions {out} --format llmprivacy")


def _add_question(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--prompt", metavar="NAME", default=CURRENT, help=f"a version of the prompt [{CURRENT}]")
    parser.add_argument("--subreddits", action="store_true", help="tell the model the subreddits [don't]")
    parser.add_argument("--per-attribute", action="store_true", help="one request for each attribute [each profile]")
    parser.add_argument("--only-labelled", action="store_true", help="ask only about attributes with a gold value")
    parser.add_argument("--profile-tokens", type=int, default=DEFAULTS.profile_tokens, help="of comments, at most")
    parser.add_argument("--max-tokens", type=int, default=DEFAULTS.max_tokens, help="of an answer, at most")
    parser.add_argument("--temperature", type=float, default=DEFAULTS.temperature)


def _system(options: dict[str, Any]) -> System:
    if options["baseline"]:
        return System.baseline(options["baseline"])
    endpoint, _ = chosen_endpoint(options)
    if not is_address(options):
        return System.stored(named_endpoint(options["endpoint"]))
    return System.at_address(endpoint.base_url, endpoint.model, endpoint.send_texts_to, endpoint.concurrency)


def _judge(options: dict[str, Any]) -> ModelEndpoint | None:
    """Refused before anything is paid for."""
    if not options["judge"]:
        return None
    row = named_endpoint(options["judge"])
    try:
        endpoint_of(row)
    except EndpointRefused as refusal:
        raise CommandError(str(refusal)) from refusal
    return row


def _scope(options: dict[str, Any]) -> Scope:
    try:
        corpus, batch = chosen_corpus(options)
    except UnknownName as refusal:
        raise CommandError(str(refusal)) from refusal
    if options["limit"] is not None and options["limit"] < 1:
        raise CommandError("--limit must be at least 1.")
    return Scope(corpus, batch, options["limit"])


def _check_out(options: dict[str, Any]) -> None:
    """Before anything is paid for."""
    out, is_stored = options["out"], options["store"]
    if out is not None and is_stored:
        raise CommandError(ONE_OUTPUT)
    if out is None and not is_stored:
        raise CommandError(NO_OUTPUT)
    if options["judge"] and not is_stored:
        raise CommandError(JUDGE_NEEDS_STORE)
    if out is not None and (not out.parent.is_dir() or out.is_dir()):
        raise CommandError(f"“{out}” can't be written: its folder doesn't exist, or it is a folder itself.")


def _question(options: dict[str, Any]) -> tuple[QuestionSettings, Prompt]:
    for name in ("profile_tokens", "max_tokens"):
        if options[name] < 1:
            raise CommandError(f"--{name.replace('_', '-')} must be at least 1.")
    try:
        prompt = prompt_named(options["prompt"])
    except PromptGone as refusal:
        raise CommandError(str(refusal)) from refusal
    settings = QuestionSettings(
        prompt=options["prompt"], has_subreddits=options["subreddits"], only_labelled=options["only_labelled"],
        profile_tokens=options["profile_tokens"], max_tokens=options["max_tokens"],
        temperature=options["temperature"], per_attribute=options["per_attribute"],
    )  # fmt: skip
    return settings, prompt


def _write(
    path: Path, profiles: Sequence[GoldProfile], model: str, predictions: Mapping[int, Mapping[str, Prediction]]
) -> None:
    """All at once, so that nobody reads half a file."""
    lines = [
        json.dumps(
            prediction_line(profile.pseudonym, profile.labels, model, predictions.get(profile.pk)), ensure_ascii=False
        )
        for profile in profiles
    ]
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise CommandError(f"“{path.name}” can't be written: {error.strerror}. The answers are kept.") from error
