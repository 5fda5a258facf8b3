"""Run Presidio, or any other detector, over documents and write its predictions to a file. Needs no database."""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import format_duration, number, plural
from annotator.core.job_terminal import JobDisplay
from annotator.embedded.home import current_home
from annotator.exchange.export.files import FileNotWritten
from evaluation.management.options import at_least, check_folder, refuse, share
from evaluation.management.span_options import add_scheme_arguments, chosen_scheme
from evaluation.spans.alignment import MissingPolicy
from evaluation.spans.problems import group_problems
from evaluation.spans.records import ProblemKind, SpanFile
from evaluation.spans.systems.command import CommandUnusable, Limits, run_command
from evaluation.spans.systems.documents import DocumentsUnusable, read_documents, texts_of
from evaluation.spans.systems.predictions import count_labels, manifest_path, write_predictions
from evaluation.spans.systems.study_format import write_study_format
from evaluation.spans.terminal import problem_lines
from profiles.jobs.progress import Progress

PRESIDIO_ONLY = ("model", "recognisers", "entities", "threshold", "workers", "cache", "no_cache")
NOT_WITH_COMMAND = "{option} is for Presidio and means nothing with --command. Leave one of them out."
ONLY_WITH_COMMAND = "{option} is for --command; Presidio has its own limits. Leave it out."
INCOMPLETE = "{missing} of {total} documents have no predictions; the reasons are above. The others were written."
SHOWN_DETAILS = ("title", "threshold", "recipe", "command")  # the manifest has them all
SYSTEM_ERRORS = "{name}.stderr.txt"


class Command(BaseCommand):
    help = "Run Presidio, or any other detector, over documents, and write its predictions to a file."
    needs_servers = False
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("documents", type=Path, metavar="DOCS", help="a gold file with texts, JSON lines, a folder")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="where to; an old file is replaced")
        parser.add_argument("--study-format", type=Path, metavar="FILE", help="also write the ECHR study's file")
        add_presidio_arguments(parser.add_argument_group("Presidio"))
        add_scheme_arguments(parser)
        other = parser.add_argument_group("another detector")
        other.add_argument("--command", metavar="COMMAND", help="run this instead of Presidio; no shell is started")
        other.add_argument("--time-limit", type=at_least(1), metavar="SECONDS", help="for the whole run [86400]")
        other.add_argument("--idle-limit", type=at_least(1), metavar="SECONDS", help="without a new answer [600]")

    def handle(self, *args: object, **options: Any) -> None:
        _check_options(options)
        began = time.monotonic()
        try:
            documents = read_documents(options["documents"])
        except DocumentsUnusable as error:
            raise refuse(error) from error
        predictions = _detect(documents, options)
        _write(predictions, documents, options)
        self._report(predictions, documents, options["out"], timedelta(seconds=time.monotonic() - began))

    def _report(self, predictions: SpanFile, documents: SpanFile, out: Path, duration: timedelta) -> None:
        for side, file in (("documents", documents), (predictions.format, predictions)):
            for line in problem_lines(group_problems(side, file.problems, MissingPolicy.COUNT)):
                self.stderr.write(line)
        labels = count_labels(predictions)
        self.stdout.write(
            f"wrote {out} and {manifest_path(out).name}: {plural(len(predictions.documents), 'document')}, "
            f"{plural(labels.total(), 'span')}, {format_duration(duration)}"
        )
        self.stdout.write(", ".join(f"{number(count)} {label}" for label, count in labels.most_common()))
        shown = [f"{key}: {predictions.details[key]}" for key in SHOWN_DETAILS if key in predictions.details]
        self.stdout.write("\n".join(shown))
        missing = sum(problem.kind == ProblemKind.NOT_ANALYSED for problem in predictions.problems)
        if missing:
            raise CommandError(INCOMPLETE.format(missing=number(missing), total=number(len(documents.documents))))


def add_presidio_arguments(group: Any) -> None:
    group.add_argument("--model", metavar="NAME", help="an installed spaCy model [the best one for English]")
    group.add_argument("--recognisers", metavar="A,B", help="only these recognisers [all]")
    group.add_argument("--entities", metavar="all|mapped|A,B", help="all, those that the scheme knows, or these [all]")
    group.add_argument("--threshold", type=share("0.5"), metavar="SCORE", help="leave out lower scores [0]")
    group.add_argument("--workers", type=at_least(1), metavar="N", help="processes [one per core]")
    group.add_argument("--cache", type=Path, metavar="FOLDER", help="where detections are kept [with Telltale's data]")
    group.add_argument("--no-cache", action="store_true", default=None, help="detect everything again, keep nothing")


def _check_options(options: dict[str, Any]) -> None:
    wrong = PRESIDIO_ONLY if options["command"] is not None else ("time_limit", "idle_limit")
    message = NOT_WITH_COMMAND if options["command"] is not None else ONLY_WITH_COMMAND
    for name in wrong:
        if options[name] is not None:
            raise refuse(message.format(option=f"--{name.replace('_', '-')}"))
    check_folder(options["out"], "--out")
    check_folder(options["study_format"], "--study-format")


def _detect(documents: SpanFile, options: dict[str, Any]) -> SpanFile:
    if options["command"] is not None:
        return _run_command(documents, options)
    return _run_presidio(documents, options)


def _run_command(documents: SpanFile, options: dict[str, Any]) -> SpanFile:
    out: Path = options["out"]
    usual = Limits()
    limits = Limits(total=options["time_limit"] or usual.total, idle=options["idle_limit"] or usual.idle)
    errors = out.with_name(SYSTEM_ERRORS.format(name=out.name))
    with _progress("documents") as show:
        try:
            return run_command(options["command"], texts_of(documents), errors=errors, limits=limits, show=show)
        except CommandUnusable as error:
            raise refuse(error) from error
        except OSError as error:
            raise refuse(f"{errors} can't be written: {error.strerror}.") from error


def _run_presidio(documents: SpanFile, options: dict[str, Any]) -> SpanFile:
    # Django's models and Presidio: a second or two that only this path pays.
    from evaluation.spans.systems.cache import CacheUnusable  # noqa: PLC0415
    from evaluation.spans.systems.pool import WorkersDied  # noqa: PLC0415
    from evaluation.spans.systems.presidio import RecipeUnusable, detect_spans  # noqa: PLC0415
    from profiles.detection.presidio import ModelMissing  # noqa: PLC0415

    try:
        recipe = _recipe(documents, options)
        cache = None if options["no_cache"] else options["cache"] or current_home().root / "detections"
        workers = options["workers"] or os.cpu_count() or 1
        with _progress("characters") as show:
            return detect_spans(texts_of(documents), recipe, workers=workers, cache=cache, show=show)
    except (CacheUnusable, ModelMissing, RecipeUnusable) as error:
        raise refuse(error) from error
    except WorkersDied as error:
        raise CommandError(str(error)) from error


def _recipe(documents: SpanFile, options: dict[str, Any]) -> Any:
    from evaluation.spans.systems.presidio import build_recipe, keep_mapped  # noqa: PLC0415 as above

    entities = options["entities"] or "all"
    recipe = build_recipe(
        options["model"],
        recognisers=_names(options["recognisers"]),
        entities=None if entities in ("all", "mapped") else _names(entities),
        threshold=options["threshold"] or 0.0,
    )
    return keep_mapped(recipe, chosen_scheme(options), count_labels(documents)) if entities == "mapped" else recipe


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _write(predictions: SpanFile, documents: SpanFile, options: dict[str, Any]) -> None:
    try:
        write_predictions(options["out"], predictions, documents)
        if options["study_format"]:
            write_study_format(options["study_format"], predictions, documents)
    except FileNotWritten as error:
        raise refuse(error) from error


@contextmanager
def _progress(unit: str) -> Iterator[Callable[[int, int], None]]:
    """A bar with rate and time left."""
    began = time.monotonic()
    with JobDisplay() as display:

        def show(done: int, total: int) -> None:
            rate = done / max(time.monotonic() - began, 0.001)
            display.show("Detecting", Progress(done, total, rate), f"{number(round(rate))} {unit}/s")

        yield show
