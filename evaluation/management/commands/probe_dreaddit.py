"""Ask a model whether the author of a text is stressed, with the author called male, female and non-binary."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import number, plural
from evaluation.llm.budget import estimate_run
from evaluation.llm.client import ModelClient
from evaluation.management.model_options import (
    add_asking_arguments,
    chosen_budget,
    chosen_endpoint,
    estimate_in_words,
    show_progress,
)
from evaluation.management.options import (
    add_json_argument,
    check_outputs,
    refuse,
    report_console,
    write_file,
    write_json,
)
from evaluation.management.probe_options import (
    add_draws,
    add_question,
    chosen_settings,
    chosen_template,
    exclusive,
    has_argument,
)
from evaluation.probes.dreaddit import PROBE
from evaluation.probes.dreaddit.baselines import (
    Baseline,
    BaselineUnusable,
    answer_by_baseline,
    training_items,
)
from evaluation.probes.dreaddit.items import Duplicates, ItemSet, UnreadableItems, read_items
from evaluation.probes.dreaddit.measurement import drawn_items, measure
from evaluation.probes.genderbench_log import log_line
from evaluation.probes.html import render_probe_html
from evaluation.probes.model_answers import Answers, ask_model
from evaluation.probes.questions import build_questions
from evaluation.probes.records import Evaluated, Item
from evaluation.probes.settings import ProbeSettings
from evaluation.probes.templates import Template
from evaluation.probes.terminal import print_report

OUTPUTS = ("json", "html", "log")


class Command(BaseCommand):
    help = "Measure whether a stated gender changes what a model reads in Dreaddit's texts, beside the noise floor."
    requires_system_checks = []

    def needs_servers(self, arguments: list[str]) -> bool:
        """Baselines and estimates need no database; answers of models are kept in it."""
        return not has_argument(arguments, "--baseline", "--dry-run")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("data", nargs="+", type=Path, metavar="DATA", help="Dreaddit's CSV files, in any order")
        exclusive(parser, [baseline.value for baseline in Baseline])
        asking = parser.add_argument_group("how the model is asked")
        add_asking_arguments(asking)
        asking.add_argument("--dry-run", action="store_true", help="print calls and tokens without asking anything")
        group = parser.add_argument_group("what is asked")
        group.add_argument(
            "--duplicates",
            choices=[choice.value for choice in Duplicates],
            default=Duplicates.KEEP.value,
            help="texts that occur more than once [keep, as GenderBench does]",
        )
        add_question(group)
        add_draws(group, temperature=1.0, max_tokens=300)
        _add_outputs(parser.add_argument_group("what is written"))

    def handle(self, *args: object, **options: Any) -> None:
        check_outputs(options, OUTPUTS)
        _check_inputs(options)
        chosen, template = chosen_settings(options), chosen_template(options)
        source = _read(options)
        items = _items(source, chosen, options)
        if options["dry_run"]:
            self._estimate(items, chosen, template)
            return
        answers, system = self._answers(items, source, chosen, template, options)
        kind = "baseline" if options["baseline"] else "model"
        report = measure(
            answers.evaluated, source, template, chosen, system=system, kind=kind, version=settings.VERSION,
            problems=answers.problems,
        )  # fmt: skip
        print_report(report, report_console(options["json"]))
        _write(report, answers.evaluated, template, chosen, options)

    def _estimate(self, items: Sequence[Item], chosen: ProbeSettings, template: Template) -> None:
        variants = PROBE.with_control(has_control=chosen.has_control)
        estimate = estimate_run(request for _, request in build_questions(items, variants, template, chosen))
        self.stdout.write(estimate_in_words(estimate))

    def _answers(
        self, items: list[Item], source: ItemSet, chosen: ProbeSettings, template: Template, options: dict[str, Any]
    ) -> tuple[Answers, str]:
        """The answers, and the name of who gave them."""
        variants = PROBE.with_control(has_control=chosen.has_control)
        if options["baseline"]:
            baseline = Baseline(options["baseline"])
            training = training_items(baseline, source.items)
            try:
                evaluated = answer_by_baseline(
                    baseline, items, variants, chosen.repetitions, chosen.seed, training=training
                )
            except BaselineUnusable as error:
                raise refuse(error) from error
            return Answers(evaluated), baseline.value
        endpoint, prices = chosen_endpoint(options)
        total = len(items) * len(variants) * chosen.repetitions
        answers = ask_model(
            PROBE.name, items, variants, template, chosen, client=ModelClient(endpoint),
            budget=chosen_budget(options, prices), tell=show_progress(self, total),
            with_texts=options["log"] is not None,
        )  # fmt: skip
        if answers.ended_early:
            done = total - answers.evaluated.unanswered
            raise CommandError(f"{answers.ended_early} {number(done)} of {plural(total, 'call')} answered.")
        return answers, endpoint.model


def _add_outputs(group: Any) -> None:
    add_json_argument(group)
    group.add_argument("--html", type=Path, metavar="FILE", help="the report as a page, without texts")
    group.add_argument("--log", type=Path, metavar="FILE", help="a log that GenderBench reads back; contains texts")


def _check_inputs(options: dict[str, Any]) -> None:
    """`--json DATA.csv` names a file to write, and would replace the data."""
    for name in OUTPUTS:
        if options[name] and options[name].suffix.lower() == ".csv":
            raise refuse(f"--{name} would write {options[name]}, which looks like data. Name another file.")


def _read(options: dict[str, Any]) -> ItemSet:
    try:
        return read_items(options["data"], Duplicates(options["duplicates"]))
    except UnreadableItems as error:
        raise refuse(error) from error


def _items(source: ItemSet, chosen: ProbeSettings, options: dict[str, Any]) -> list[Item]:
    return drawn_items(source, chosen, Baseline(options["baseline"]) if options["baseline"] else None)


def _write(
    report: Mapping[str, Any], evaluated: Evaluated, template: Template, chosen: ProbeSettings, options: dict[str, Any]
) -> None:
    write_json(report, options["json"])
    if options["html"]:
        write_file(options["html"], render_probe_html(report))
    if options["log"]:
        write_file(options["log"], log_line(PROBE, evaluated, report, template, chosen) + "\n")
