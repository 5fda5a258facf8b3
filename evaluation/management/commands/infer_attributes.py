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
from evaluation.defences.defended_inference import Mask, StoredDefence
from evaluation.defences.plans import PlanRefused, recipe_of
from evaluation.defences.recipes import SEED as DEFENCE_SEED
from evaluation.defences.services import detections_to_store
from evaluation.inference import services
from evaluation.inference.baselines import predict
from evaluation.inference.dry_runs import estimate, estimate_judge
from evaluation.inference.gold_profiles import GoldProfile, baseline_profiles
from evaluation.inference.judge.prompts import load_judge_prompt
from evaluation.inference.model_answers import Inference, infer_attributes
from evaluation.inference.plans import InferencePlan
from evaluation.inference.prediction_lines import prediction_line
from evaluation.inference.prompt_store import prompt_named
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.records import Prediction
from evaluation.inference.scopes import Scope
from evaluation.inference.settings import SEED, Settings
from evaluation.inference.text_versions import ORIGINALS, TextVersion
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Limit
from evaluation.llm.client import ModelClient
from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.management.defence_options import add_detector_arguments, chosen_detection, chosen_detector
from evaluation.management.inference_options import (
    add_question_arguments,
    add_scope_arguments,
    add_system_arguments,
    chosen_question,
    chosen_scope,
    chosen_system,
)
from evaluation.management.model_options import (
    chosen_budget,
    chosen_endpoint,
    named_endpoint,
    show_progress,
)
from evaluation.models import EvaluationRun, ModelEndpoint
from evaluation.reports.headlines import read_headlines
from evaluation.runs import job
from evaluation.spans.evidence.scopes import NoDetection

NO_GOLD = "No profile has gold yet. Label profiles and build gold first (bin/manage build_gold)."
ONE_OUTPUT = "Use --out to write a file or --store to keep a run on the site, not both."
JUDGE_NEEDS_STORE = "A judge works only on scored runs. Use --judge together with --store."
DEFENCE_NEEDED = "--recipe, --detections-file and --defence-run say what is defended. Name a --defence, too."
STORED_ALREADY = "The texts of a --defence-run are defended already: leave out --recipe and --detections-file."
NO_OUTPUT = "Name a file for the predictions with --out, keep a run with --store, or try --dry-run first."


class Command(BaseCommand):
    help = "Ask a language model what the comments of profiles give away, and write its guesses beside the gold."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_scope_arguments(parser)
        add_system_arguments(parser)
        add_question_arguments(parser)
        parser.add_argument(
            "--dry-run", action="store_true", help="print calls, tokens and cost without asking anything"
        )
        parser.add_argument("--out", type=Path, metavar="FILE", help="where the predictions go")
        parser.add_argument("--store", action="store_true", help="score them, and keep the run on the site")
        parser.add_argument("--defence", metavar="NAME", help="mask the texts first, as in bin/manage defend")
        parser.add_argument(
            "--defence-run", type=int, metavar="NUMBER", help="use the texts that the defence has in this run instead"
        )
        add_detector_arguments(parser)
        parser.add_argument("--seed", type=int, default=DEFENCE_SEED, help="of surrogates and the random control")
        parser.add_argument("--judge", metavar="NAME", help="a stored endpoint that reviews what the rules mark wrong")

    def handle(self, *args: object, **options: Any) -> None:
        scope, (settings, prompt) = chosen_scope(options), chosen_question(options)
        profiles = scope.profiles()
        if not profiles:
            raise CommandError(NO_GOLD)
        mask = _mask(scope, options)
        texts = _version(mask, profiles)
        if options["dry_run"]:
            self._estimate(profiles, settings, options, texts)
            return
        _check_out(options)
        if options["store"]:
            limit, judge = Limit(options["budget_tokens"], options["budget_money"]), _judge(options)
            plan = InferencePlan(
                chosen_system(options), scope=scope, question=settings, prompt=prompt, limit=limit, judge=judge,
                defence=mask.as_json() if mask else None,
            )  # fmt: skip
            self._store(plan, mask)
            return
        self._write(profiles, settings, options, texts)

    def _estimate(
        self, profiles: Sequence[GoldProfile], settings: QuestionSettings, options: dict[str, Any], texts: TextVersion
    ) -> None:
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
        prompt = prompt_named(settings.prompt)
        for sentence in estimate(profiles, settings, prompt, attempts, prices, load=texts.load).sentences():
            self.stdout.write(sentence)

    def _store(self, plan: InferencePlan, mask: Mask | StoredDefence | None) -> None:
        """Do the run here instead of in a worker."""
        detections = detections_to_store(mask.detector if mask else None)
        run = services.request_inference_run(plan, is_queued=False, store_more=detections)
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

    def _write(
        self, profiles: Sequence[GoldProfile], settings: QuestionSettings, options: dict[str, Any], texts: TextVersion
    ) -> None:
        if options["baseline"]:
            predictions = predict(options["baseline"], list(baseline_profiles(profiles, texts.load)), seed=SEED)
            _write(options["out"], profiles, options["baseline"], predictions)
            self.stdout.write(f"{plural(len(predictions), 'profile')} answered, in {options['out'].name}.")
            return
        endpoint, prices = chosen_endpoint(options)
        budget = chosen_budget(options, prices)
        inference = infer_attributes(
            profiles, ModelClient(endpoint), settings, budget=budget, tell=show_progress(self),
            prompt=prompt_named(settings.prompt), load=texts.load,
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


def _mask(scope: Scope, options: dict[str, Any]) -> Mask | StoredDefence | None:
    key = options["defence"]
    if not key:
        if options["recipe"] or options["detections_file"] or options["defence_run"]:
            raise CommandError(DEFENCE_NEEDED)
        return None
    try:
        if options["defence_run"]:
            if options["recipe"] or options["detections_file"]:
                raise CommandError(STORED_ALREADY)
            return StoredDefence.of(options["defence_run"], key, scope.corpus.pk)
        recipe = recipe_of(key, options["seed"])
        return Mask.of(recipe, chosen_detection(scope, [key], options), chosen_detector(scope, options))
    except (PlanRefused, NoDetection, UnknownName) as refusal:
        raise CommandError(str(refusal)) from refusal


def _version(mask: Mask | StoredDefence | None, profiles: Sequence[GoldProfile]) -> TextVersion:
    try:
        return mask.version(profiles) if mask else ORIGINALS
    except PlanRefused as refusal:
        raise CommandError(str(refusal)) from refusal


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
