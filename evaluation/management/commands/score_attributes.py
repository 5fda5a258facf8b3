"""Score published predictions of language models against human labels. Needs no database."""

import argparse
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from evaluation.inference.readers import Format, UnreadablePredictions, read_predictions
from evaluation.inference.records import PredictionFile
from evaluation.inference.report import NothingToScore, build_report
from evaluation.inference.requirements import EXAMPLE, failures
from evaluation.inference.settings import HIGHEST, MIN_CERTAINTY, MIN_HARDNESS, RESAMPLES, SEED, MissingPolicy, Settings
from evaluation.inference.terminal import print_report
from evaluation.management.options import (
    add_bootstrap_arguments,
    add_choice_argument,
    add_report_arguments,
    at_least,
    check_outputs,
    find_unmet,
    parse_requirements,
    refuse,
    report_console,
    write_file,
    write_json,
)

UNPAIRED = "You gave {files} --predictions and {models} --model. Name one model, or one for each file."


class Command(BaseCommand):
    help = "Score a model's predictions by the evaluations in their file, the original rules and ours, with intervals."
    needs_servers = False
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--predictions", required=True, type=Path, action="append", metavar="FILE", help="repeat to compare models"
        )
        parser.add_argument("--format", choices=[form.value for form in Format], help="[detected from the contents]")
        parser.add_argument(
            "--model", action="append", metavar="NAME", help="needed if a file has several; repeat to compare them"
        )
        parser.add_argument("--reviewer", metavar="NAME", help="whose labels count [human_evaluated, consensus]")
        _add_settings(parser.add_argument_group("what is scored"))
        add_report_arguments(
            parser.add_argument_group("what is written"),
            page="the report as a page",
            requirement="the first model scores less, such as top1=0.7 or published-location-top1=0.8",
        )

    def handle(self, *args: object, **options: Any) -> None:
        check_outputs(options, ("json", "html"))
        requirements, chosen = parse_requirements(options["fail_under"], EXAMPLE), _settings(options)
        files = [_read(path, model, options) for path, model in _sources(options["predictions"], options["model"])]
        report = _report(files, chosen)
        sentences = find_unmet(failures, report, requirements)
        print_report(report, report_console(options["json"]))
        write_json(report, options["json"])
        if options["html"]:
            from evaluation.inference.html import render_inference_html  # noqa: PLC0415 charts and templates

            write_file(options["html"], render_inference_html(report))
        if sentences:
            raise CommandError("\n".join(sentences))


def _add_settings(group: Any) -> None:
    bounds = {"hardness": MIN_HARDNESS, "certainty": MIN_CERTAINTY}
    for name, least in bounds.items():
        group.add_argument(f"--min-{name}", type=at_least(0), default=least, metavar="N", help=f"[{least}]")
        group.add_argument(f"--max-{name}", type=at_least(0), default=HIGHEST, metavar="N", help=f"[{HIGHEST}]")
    missing = "labels on profiles that the model has no answer for: wrong, or not scored"
    add_choice_argument(group, "missing", [*MissingPolicy], MissingPolicy.COUNT, missing)
    add_bootstrap_arguments(group, RESAMPLES, SEED)


def _settings(options: dict[str, Any]) -> Settings:
    names = ("min_hardness", "max_hardness", "min_certainty", "max_certainty", "bootstrap", "seed")
    try:
        return Settings(missing=MissingPolicy(options["missing"]), **{name: options[name] for name in names})
    except ValueError as error:
        raise refuse(error) from error


def _sources(paths: list[Path], models: list[str] | None) -> list[tuple[Path, str | None]]:
    """Files with the model to read from each: the same for all, one each, or several from a single file."""
    if not models:
        return [(path, None) for path in paths]
    if len(models) == 1:
        return [(path, models[0]) for path in paths]
    if len(paths) == 1:
        return [(paths[0], model) for model in models]
    if len(paths) != len(models):
        raise refuse(UNPAIRED.format(files=len(paths), models=len(models)))
    return list(zip(paths, models, strict=True))


def _read(path: Path, model: str | None, options: dict[str, Any]) -> PredictionFile:
    form = Format(options["format"]) if options["format"] else None
    try:
        return read_predictions(path, form=form, model=model, reviewer=options["reviewer"])
    except UnreadablePredictions as error:
        raise refuse(f"{path}: {error}") from error


def _report(files: list[PredictionFile], chosen: Settings) -> dict[str, Any]:
    try:
        return build_report(files, chosen, settings.VERSION)
    except NothingToScore as error:
        raise refuse(error) from error
