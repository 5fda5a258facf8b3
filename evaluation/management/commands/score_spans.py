"""Score predicted spans against gold spans. Needs no database."""

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from evaluation.management.options import (
    add_bootstrap_arguments,
    add_choice_argument,
    add_report_arguments,
    check_outputs,
    find_unmet,
    parse_requirements,
    refuse,
    report_console,
    write_file,
    write_json,
)
from evaluation.management.span_options import add_scheme_arguments, chosen_scheme
from evaluation.spans.alignment import MissingPolicy, align, scored_ids
from evaluation.spans.errors.lists import list_errors
from evaluation.spans.evaluation import NothingToScore, evaluate
from evaluation.spans.labels import IgnorePolicy, LabelMode
from evaluation.spans.readers import FORMAT_TITLES, Side, UnreadableSpans, read_spans
from evaluation.spans.records import SpanFile
from evaluation.spans.requirements import EXAMPLE, failures
from evaluation.spans.settings import RESAMPLES, SEED, THRESHOLD, Settings
from evaluation.spans.systems.documents import texts_of
from evaluation.spans.systems.predictions import read_details
from evaluation.spans.terminal import print_report
from evaluation.spans.writers import detailed_evaluation

NOTHING_SHARED = "{path} and the gold file have no document in common. Check the ids of the documents."
BAD_THRESHOLD = "“{text}” isn't a number above 0 and up to 1, such as 0.3"


class Command(BaseCommand):
    help = "Score predicted spans against gold spans by several definitions, with intervals."
    needs_servers = False
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--gold", required=True, type=Path, metavar="FILE", help="gold spans, best with texts")
        parser.add_argument(
            "--pred", required=True, type=Path, action="append", metavar="FILE", help="predictions; repeat to compare"
        )
        parser.add_argument(
            "--gold-format", choices=FORMAT_TITLES, metavar="FORMAT", help="[detected from the contents]"
        )
        parser.add_argument(
            "--pred-format", choices=FORMAT_TITLES, metavar="FORMAT", help="[detected from the contents]"
        )
        add_scheme_arguments(parser)
        _add_settings(parser.add_argument_group("what counts as a match"))
        _add_outputs(parser.add_argument_group("what is written"))

    def handle(self, *args: object, **options: Any) -> None:
        check_outputs(options, ("json", "html", "errors", "out_detailed"))
        requirements, chosen = parse_requirements(options["fail_under"], EXAMPLE), _settings(options)
        gold = _read(options["gold"], options["gold_format"], Side.GOLD, {})
        systems = [_read_system(path, options["pred_format"], gold) for path in options["pred"]]
        report = _evaluate(gold, systems, chosen)
        sentences = find_unmet(failures, report, requirements)
        print_report(report, report_console(options["json"]))
        write_json(report, options["json"])
        if options["out_detailed"]:
            write_json(_detailed(gold, systems[0], chosen), options["out_detailed"])
        _write_errors(report, gold, systems[0], chosen, options)
        if sentences:
            raise CommandError("\n".join(sentences))


def _add_settings(group: Any) -> None:
    group.add_argument("--threshold", type=_threshold, default=THRESHOLD, metavar="IOU", help=f"[{THRESHOLD:g}]")
    ignored = "what happens to types that the scheme ignores"
    add_choice_argument(group, "ignore", [*IgnorePolicy], IgnorePolicy.SYMMETRIC, ignored)
    missing = "gold documents without predictions: all missed, or not scored"
    add_choice_argument(group, "missing", [*MissingPolicy], MissingPolicy.COUNT, missing)
    add_bootstrap_arguments(group, RESAMPLES, SEED)


def _add_outputs(group: Any) -> None:
    group.add_argument("--errors", type=Path, metavar="FILE", help="every error with its context; contains texts")
    group.add_argument("--out-detailed", type=Path, metavar="FILE", help="the ECHR study's file; contains texts")
    add_report_arguments(
        group,
        page="the report as a page; with --errors, errors too",
        requirement="the first system scores less, such as f1=0.8 or PERSON-recall=0.9",
    )


def _threshold(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(BAD_THRESHOLD.format(text=text))
    return value


def _settings(options: dict[str, Any]) -> Settings:
    return Settings(
        scheme=chosen_scheme(options),
        threshold=options["threshold"],
        ignore=IgnorePolicy(options["ignore"]),
        missing=MissingPolicy(options["missing"]),
        bootstrap=options["bootstrap"],
        seed=options["seed"],
    )


def _read(path: Path, form: str | None, side: Side, texts: Mapping[str, str]) -> SpanFile:
    try:
        return read_spans(path, format=form, texts=texts, side=side)
    except UnreadableSpans as error:
        raise refuse(f"{path}: {error}") from error


def _read_system(path: Path, form: str | None, gold: SpanFile) -> SpanFile:
    """Read predictions against the gold's texts, with what the manifest beside them says about their maker."""
    system = _read(path, form, Side.PREDICTIONS, texts_of(gold))
    if not gold.documents.keys() & system.documents.keys():
        raise refuse(NOTHING_SHARED.format(path=path))
    return replace(system, details={**system.details, **read_details(path)})


def _evaluate(gold: SpanFile, systems: list[SpanFile], chosen: Settings) -> dict[str, Any]:
    try:
        return evaluate(gold, systems, chosen, code_version=settings.VERSION)
    except NothingToScore as error:
        raise refuse(error) from error


def _detailed(gold: SpanFile, system: SpanFile, chosen: Settings) -> list[dict[str, Any]]:
    """What became of every span by the study's relaxed rule."""
    ids = scored_ids(gold, [system], chosen.missing)
    documents = align(gold, system, chosen.scheme, ids).documents
    return detailed_evaluation(documents, chosen.scheme, LabelMode.RELAXED, chosen.threshold)


def _write_errors(
    report: Mapping[str, Any], gold: SpanFile, system: SpanFile, chosen: Settings, options: dict[str, Any]
) -> None:
    """The errors, and the page, which has them only if they are wanted: they quote the documents."""
    errors = list_errors(gold, system, chosen, limit=sys.maxsize) if options["errors"] else []
    if options["errors"]:
        write_file(options["errors"], "".join(json.dumps(error) + "\n" for error in errors))
    if options["html"]:
        from evaluation.reports.html import render_report_html  # noqa: PLC0415 charts and templates: only for pages

        write_file(options["html"], render_report_html(report, errors, name=gold.name))
