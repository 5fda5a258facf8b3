"""Export a gold set to a file on the command line."""

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotator.core.formatting import number
from annotator.core.job_terminal import JobDisplay
from annotator.exchange.export.files import FileNotWritten, atomic_file
from annotator.exchange.export.job import WRONG_KEY, build_gold_first
from annotator.exchange.export.manifest import build_manifest
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.writer import ExportSummary, NothingToExport, write_export
from annotator.exchange.services.audit import record_request
from annotator.models import Format
from profiles.attributes import Attribute
from profiles.encryption import WrongKey
from profiles.models import Corpus

SHOWN_COUNTS = ("profiles", "gold", "negatives", "judgements", "comments", "disputed", "waiting", "unjudged")

FORMATS = [form.value for form in Format if form is not Format.DATASET]  # which export_dataset writes


class Command(BaseCommand):
    help = "Write the gold set of a corpus to a file, with a manifest beside it. The same data gives the same bytes."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--corpus", required=True, metavar="NAME", help="name of the corpus")
        parser.add_argument("--format", choices=FORMATS, default=Format.NATIVE.value, help="[native]")
        parser.add_argument(
            "--out", required=True, type=Path, metavar="FILE", help="output file; an existing file is replaced"
        )
        parser.add_argument(
            "--text", action="store_true", help="include the text of comments, evidence, notes and reasons"
        )
        parser.add_argument(
            "--model-prompted", action="store_true",
            help="include answers that people confirmed after a model had claimed them; they are marked",
        )  # fmt: skip
        parser.add_argument("--names", action="store_true", help="include account names and Reddit ids; needs --reason")
        parser.add_argument("--reason", default="", help="why you need the names; recorded in the audit log")
        parser.add_argument(
            "--per-reviewer", action="store_true", help="llmprivacy only: a zip with one file per reviewer"
        )
        filters = parser.add_argument_group("filters")
        filters.add_argument("--batch", default="", metavar="NAME", help="only judgements from this batch")
        filters.add_argument("--attribute", nargs="+", choices=Attribute.values, default=[], help="only these")
        filters.add_argument("--hardness", nargs="+", type=int, choices=range(6), default=[], help="only these")
        filters.add_argument("--min-certainty", type=int, choices=range(6), default=0, help="minimum certainty")
        filters.add_argument(
            "--required-subreddit", choices=["yes", "no"], help="only where the subreddit was required, or not"
        )
        filters.add_argument("--adjudicated", action="store_true", help="only adjudicated records")

    def handle(self, *args: object, **options: Any) -> None:
        export_options, corpus = _export_options(options), _corpus(options["corpus"])
        if export_options.with_names and not options["reason"].strip():
            raise CommandError("Use --reason to say why you need account names and ids. Nothing was written.")
        build_gold_first(corpus)
        record_request(corpus, export_options, options["reason"].strip())
        summary = _write(corpus, export_options, options["out"])
        manifest = build_manifest(
            summary, export_options, corpus=corpus.name, file=options["out"].name, by="", at=timezone.now()
        )
        beside = _write_manifest(options["out"], manifest)
        self.stdout.write(_result_text(summary, options["out"], beside))


def _export_options(options: dict[str, Any]) -> ExportOptions:
    try:
        return ExportOptions(
            format=Format(options["format"]),
            batch=options["batch"],
            attributes=tuple(dict.fromkeys(options["attribute"])),
            hardness=tuple(sorted(set(options["hardness"]))),
            min_certainty=options["min_certainty"],
            required_subreddit={"yes": True, "no": False, None: None}[options["required_subreddit"]],
            adjudicated_only=options["adjudicated"],
            with_text=options["text"],
            with_prompted=options["model_prompted"],
            with_names=options["names"],
            per_reviewer=options["per_reviewer"],
        )
    except ValueError as error:
        raise CommandError(f"{error} Nothing was written.") from error


def _corpus(name: str) -> Corpus:
    corpus = Corpus.objects.ready().filter(name=name).first()
    if corpus is None:
        raise CommandError(f"There is no complete corpus called “{name}”. Nothing was written.")
    return corpus


def _write(corpus: Corpus, options: ExportOptions, path: Path) -> ExportSummary:
    with JobDisplay() as display:
        try:
            return write_export(corpus, options, path, display.counter("Writing"))
        except (NothingToExport, FileNotWritten) as stopped:
            raise CommandError(str(stopped)) from stopped
        except WrongKey as error:
            raise CommandError(WRONG_KEY) from error


def _write_manifest(path: Path, manifest: dict[str, Any]) -> Path:
    beside = path.with_name(f"{path.name}.manifest.json")
    try:
        with atomic_file(beside) as file:
            file.write(json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n")
    except FileNotWritten as stopped:
        raise CommandError(f"The export was written, but its manifest was not. {stopped}") from stopped
    return beside


def _result_text(summary: ExportSummary, path: Path, beside: Path) -> str:
    counts = ", ".join(f"{number(summary.counts[name])} {name}" for name in SHOWN_COUNTS)
    return f"wrote {path} ({number(summary.size)} bytes) and {beside.name}\n{counts}\nSHA-256 {summary.sha256}"
