"""Score published predictions of language models against human labels. Needs no database."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from annotator.exchange.export.files import FileNotWritten, atomic_file
from evaluation.inference.readers import Format, UnreadablePredictions, read_predictions
from evaluation.inference.records import PredictionFile
from evaluation.inference.report import NothingToScore, build_report
from evaluation.inference.requirements import EXAMPLE, failures
from evaluation.inference.settings import HIGHEST, MIN_CERTAINTY, MIN_HARDNESS, RESAMPLES, SEED, MissingPolicy, Settings
from evaluation.inference.terminal import print_report
from evaluation.management.span_options import at_least, check_folder, refuse
from evaluation.reports.requirements import Requirement, RequirementUnusable

WIDTH = 150  # where there is no terminal that has one
STANDARD_OUTPUT = Path("-")


class Command(BaseCommand):
    help = "Score a model's predictions by the evaluations in their file, the original rules and ours, with intervals."
    needs_servers = False
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--predictions", required=True, type=Path, action="append", metavar="FILE", help="repeat to compare models"
        )
        parser.add_argument("--format", choices=[form.value for form in Format], help="[told from the content]")
        parser.add_argument("--model", metavar="NAME", help="needed if a file has several")
        parser.add_argument("--reviewer", metavar="NAME", help="whose labels count [human_evaluated, consensus]")
        _add_settings(parser.add_argument_group("what is scored"))
        _add_outputs(parser.add_argument_group("what is written"))

    def handle(self, *args: object, **options: Any) -> None:
        if options["json"] != STANDARD_OUTPUT:
            check_folder(options["json"], "--json")
        requirements, chosen = _requirements(options["fail_under"]), _settings(options)
        files = [_read(path, options) for path in options["predictions"]]
        report = _report(files, chosen)
        sentences = _failures(report, requirements)
        _print(report, options["json"])
        _write(report, options["json"])
        if sentences:
            raise CommandError("\n".join(sentences))


def _add_settings(group: Any) -> None:
    bounds = {"hardness": MIN_HARDNESS, "certainty": MIN_CERTAINTY}
    for name, least in bounds.items():
        group.add_argument(f"--min-{name}", type=at_least(0), default=least, metavar="N", help=f"[{least}]")
        group.add_argument(f"--max-{name}", type=at_least(0), default=HIGHEST, metavar="N", help=f"[{HIGHEST}]")
    group.add_argument(
        "--missing",
        choices=[policy.value for policy in MissingPolicy],
        default=MissingPolicy.COUNT.value,
        help="labels on profiles that the model has no answer for: wrong, or not scored [count]",
    )
    group.add_argument("--bootstrap", type=at_least(0), default=RESAMPLES, metavar="N", help=f"[{RESAMPLES}]")
    group.add_argument("--seed", type=at_least(0), default=SEED, metavar="N", help=f"of the bootstrap [{SEED}]")


def _add_outputs(group: Any) -> None:
    group.add_argument("--json", type=Path, metavar="FILE|-", help="the whole report; - for standard output")
    group.add_argument(
        "--fail-under",
        nargs="+",
        default=[],
        metavar="METRIC=VALUE",
        help="end with 1 if the first model scores less, such as top1=0.7 or published-location-top1=0.8",
    )


def _requirements(texts: Iterable[str]) -> list[Requirement]:
    try:
        return [Requirement.parse(text, EXAMPLE) for text in texts]
    except RequirementUnusable as error:
        raise refuse(f"--fail-under: {error}") from error


def _settings(options: dict[str, Any]) -> Settings:
    names = ("min_hardness", "max_hardness", "min_certainty", "max_certainty", "bootstrap", "seed")
    try:
        return Settings(missing=MissingPolicy(options["missing"]), **{name: options[name] for name in names})
    except ValueError as error:
        raise refuse(error) from error


def _read(path: Path, options: dict[str, Any]) -> PredictionFile:
    form = Format(options["format"]) if options["format"] else None
    try:
        return read_predictions(path, form=form, model=options["model"], reviewer=options["reviewer"])
    except UnreadablePredictions as error:
        raise refuse(f"{path}: {error}") from error


def _report(files: list[PredictionFile], chosen: Settings) -> dict[str, Any]:
    try:
        return build_report(files, chosen, settings.VERSION)
    except NothingToScore as error:
        raise refuse(error) from error


def _failures(report: Mapping[str, Any], requirements: Iterable[Requirement]) -> list[str]:
    """Refuse an unknown metric before anything is printed or written."""
    try:
        return failures(report, requirements)
    except RequirementUnusable as error:
        raise refuse(f"--fail-under: {error}") from error


def _print(report: Mapping[str, Any], path: Path | None) -> None:
    """To standard error if standard output has the JSON."""
    file = sys.stderr if path == STANDARD_OUTPUT else sys.stdout
    print_report(report, Console(file=file, width=None if file.isatty() else WIDTH))


def _write(report: Mapping[str, Any], path: Path | None) -> None:
    """In ASCII, which any terminal and any reader can take."""
    text = json.dumps(report, indent=1) + "\n"
    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
    elif path:
        _write_file(path, text)


def _write_file(path: Path, text: str) -> None:
    try:
        with atomic_file(path) as file:
            file.write(text.encode())
    except FileNotWritten as error:
        raise refuse(f"{path}: {error}") from error
