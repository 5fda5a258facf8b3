"""Export a gold set as a dataset folder on the command line."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import plural
from annotator.core.job_terminal import JobDisplay
from annotator.core.lookups import UnknownName, corpus_named
from annotator.exchange.export.files import FileNotWritten
from annotator.exchange.export.job import build_gold_first
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.writer import NothingToExport
from annotator.exchange.services.audit import record_request
from annotator.models import Format
from evaluation.datasets.folder import FolderNotWritten, write_dataset
from evaluation.datasets.parquet import Counts
from profiles.models import Corpus


class Command(BaseCommand):
    help = "Write the gold set of a corpus as a dataset folder that Hugging Face's `datasets` reads."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--corpus", required=True, metavar="NAME", help="which corpus")
        parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="a folder that doesn't exist yet")
        parser.add_argument("--text", action="store_true", help="with the texts of comments and evidence, and tasks")
        parser.add_argument("--batch", default="", metavar="NAME", help="only what was judged in this batch [all]")
        parser.add_argument("--min-certainty", type=int, choices=range(6), default=0, help="at least this certain [0]")
        parser.add_argument(
            "--model-prompted", action="store_true",
            help="include answers that people confirmed after a model had claimed them; they are marked",
        )  # fmt: skip

    def handle(self, *args: object, **options: Any) -> None:
        try:
            corpus = corpus_named(options["corpus"])
        except UnknownName as refusal:
            raise CommandError(f"{refusal} Nothing was written.") from refusal
        counts = _write(corpus, _export_options(options), options["out"])
        self.stdout.write(f"wrote {options['out']}\n{_describe(counts)}")


def _export_options(options: dict[str, Any]) -> ExportOptions:
    return ExportOptions(
        format=Format.NATIVE, batch=options["batch"], min_certainty=options["min_certainty"],
        with_text=options["text"], with_prompted=options["model_prompted"],
    )  # fmt: skip


def _write(corpus: Corpus, options: ExportOptions, folder: Path) -> Counts:
    build_gold_first(corpus)
    record_request(corpus, options, "", dataset=True)
    with JobDisplay() as display:
        try:
            counts, _ = write_dataset(corpus, options, folder, display.counter("Writing"))
        except (NothingToExport, FileNotWritten, FolderNotWritten) as stopped:
            raise CommandError(str(stopped)) from stopped
    return counts


def _describe(counts: Counts) -> str:
    return "\n".join(f"{split}: {plural(of_split['profiles'], 'profile')}" for split, of_split in counts.items())
