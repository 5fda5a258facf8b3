"""Ask a model about profiles with gold, with the author called male, female and non-binary."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import plural
from annotator.core.lookups import UnknownName
from evaluation.inference.gold_profiles import GoldProfile, gold_profiles, texts_of
from evaluation.inference.prompts import Prompt, load_prompt
from evaluation.inference.questions import QuestionSettings
from evaluation.llm.budget import estimate_run
from evaluation.llm.client import ModelClient
from evaluation.management.model_options import (
    add_asking_arguments,
    add_endpoint_argument,
    chosen_budget,
    chosen_endpoint,
    estimate_in_words,
    show_progress,
)
from evaluation.management.options import (
    add_json_argument,
    check_outputs,
    chosen_corpus,
    refuse,
    report_console,
    write_file,
    write_json,
)
from evaluation.management.probe_options import (
    add_draws,
    chosen_settings,
)
from evaluation.probes.gold import VARIANTS
from evaluation.probes.gold.measurement import GoldItem, measure_gold
from evaluation.probes.gold.model_answers import GoldAnswers, ask_about_gold
from evaluation.probes.gold.questions import build_gold_questions
from evaluation.probes.gold.terminal import print_gold
from evaluation.probes.html import render_probe_html
from evaluation.probes.probe import CONTROL
from evaluation.probes.report import NothingToMeasure
from evaluation.probes.resamples import draw_sample
from evaluation.probes.settings import ProbeSettings, marked

DEFAULTS = QuestionSettings()


class Command(BaseCommand):
    help = "Measure whether a stated gender changes what a model infers about profiles, beside the noise floor."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--corpus", metavar="NAME", required=True)
        parser.add_argument("--batch", metavar="NAME", help="only profiles with gold of this batch [all]")
        add_endpoint_argument(parser, required=True)
        asking = parser.add_argument_group("how the model is asked")
        add_asking_arguments(asking)
        asking.add_argument("--dry-run", action="store_true", help="print calls and tokens without asking anything")
        add_draws(
            parser.add_argument_group("what is asked"),
            temperature=DEFAULTS.temperature,
            max_tokens=DEFAULTS.max_tokens,
        )
        parser.add_argument("--html", type=Path, metavar="FILE", help="the report as a page, without texts")
        add_json_argument(parser)

    def handle(self, *args: object, **options: Any) -> None:
        check_outputs(options, ("json", "html"))
        chosen, prompt = chosen_settings(options), load_prompt()
        profiles = draw_sample(_profiles(options), chosen.sample, chosen.seed)
        if options["dry_run"]:
            self._estimate(profiles, prompt, chosen)
            return
        answers, system = self._ask(profiles, prompt, chosen, options)
        _write(_measure(profiles, answers, chosen, system=system, prompt=prompt, corpus=options["corpus"]), options)

    def _estimate(self, profiles: Sequence[GoldProfile], prompt: Prompt, chosen: ProbeSettings) -> None:
        variants = (*VARIANTS, CONTROL) if chosen.has_control else VARIANTS
        questions = build_gold_questions([profile.pk for profile in profiles], texts_of, variants, prompt, chosen)
        estimate = estimate_run(request for _, request in questions)
        self.stdout.write(estimate_in_words(estimate))

    def _ask(
        self, profiles: Sequence[GoldProfile], prompt: Prompt, chosen: ProbeSettings, options: dict[str, Any]
    ) -> tuple[GoldAnswers, str]:
        endpoint, prices = chosen_endpoint(options)
        budget = chosen_budget(options, prices)
        answers = ask_about_gold(
            profiles, prompt, chosen, client=ModelClient(endpoint), budget=budget, tell=show_progress(self)
        )
        if answers.ended_early:
            raise CommandError(f"{answers.ended_early} {plural(len(answers.table.guesses), 'call')} answered so far.")
        return answers, endpoint.model


def _profiles(options: dict[str, Any]) -> list[GoldProfile]:
    try:
        corpus, batch = chosen_corpus(options)
    except UnknownName as refusal:
        raise refuse(refusal) from refusal
    profiles = gold_profiles(corpus, batch)
    if not profiles:
        raise refuse("No profile has gold yet. Label profiles and build gold first (bin/manage build_gold).")
    return profiles


def _measure(
    profiles: Sequence[GoldProfile], answers: GoldAnswers, chosen: ProbeSettings, *, system: str, prompt: Prompt,
    corpus: str,
) -> dict[str, Any]:  # fmt: skip
    items = [GoldItem(profile.pseudonym, profile.labels) for profile in profiles]
    try:
        return measure_gold(
            items, answers.table, chosen, system=system, corpus=corpus, prompt=marked(prompt.name, prompt.digest),
            version=settings.VERSION,
        )  # fmt: skip
    except NothingToMeasure as error:
        raise refuse(error) from error


def _write(report: dict[str, Any], options: dict[str, Any]) -> None:
    """The text goes to standard error if standard output has the JSON."""
    print_gold(report, report_console(options["json"]))
    write_json(report, options["json"])
    if options["html"]:
        write_file(options["html"], render_probe_html(report))
