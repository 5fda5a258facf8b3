"""Import another study's profiles and judgements on the command line."""

import argparse
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotator.core.formatting import number
from annotator.core.job_terminal import JobDisplay
from annotator.exchange.imports.file_format import WrongFormat
from annotator.exchange.imports.job import BROKE, take_in
from annotator.exchange.imports.loader import ImportResult
from annotator.exchange.imports.target import ImportRefused
from annotator.exchange.services.label_imports import request_import
from annotator.models import Format
from profiles.attributes import Attribute
from profiles.jobs.heartbeat import work_on

FORMATS = (Format.SYNTHPAI.value, Format.LLMPRIVACY.value, Format.NATIVE.value)
MOST_LINES = 20


class Command(BaseCommand):
    help = (
        "Import profiles and judgements from a file. Importing twice adds nothing; whatever breaks a rule is set aside."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="file with one JSON object per line")
        parser.add_argument("--format", required=True, choices=FORMATS)
        parser.add_argument("--corpus", metavar="NAME", help="a new or existing corpus [the name of the file]")
        parser.add_argument("--dry-run", action="store_true", help="show what would be imported, and save nothing")

    def handle(self, *args: object, **options: Any) -> None:
        path, name = options["file"], options["corpus"] or options["file"].stem
        if not path.is_file():
            raise CommandError(f"{path} can't be read. Nothing was imported.")
        try:
            with transaction.atomic() if options["dry_run"] else nullcontext():
                imported = _run(path, Format(options["format"]), name[:100])
                if options["dry_run"]:
                    transaction.set_rollback(True)
        except (ImportRefused, WrongFormat, OSError) as error:
            raise CommandError(f"{error} Nothing was imported.") from error
        self.stdout.write(_summary(imported, name, dry=options["dry_run"]))


def _run(path: Path, written: Format, name: str) -> ImportResult:
    label_import = request_import(path, written, name, by=None)
    with work_on(label_import, broke=BROKE), JobDisplay() as display:
        show = display.counter("Reading")
        return take_in(label_import, path, lambda so_far: show(so_far.bytes_read, label_import.total))


def _summary(imported: ImportResult, corpus: str, *, dry: bool) -> str:
    counts = imported.counts
    kept = f"{'would be imported' if dry else 'imported'} into “{corpus}”"
    lines = [
        f"{number(counts['lines'])} lines: {number(counts['profiles'])} profiles "
        f"({number(counts['new_profiles'])} new) with {number(counts['comments'])} comments {kept}",
        f"{number(counts['reviews'])} reviews, {number(counts['judgements'])} judgements, of them "
        f"{number(counts['answers'])} with a value; {number(counts['there'])} reviews were already there",
        f"set aside: {number(counts['lines_set_aside'])} lines, {number(counts['answers_set_aside'])} answers",
        *(f"  {number(count)} × {reason}" for reason, count in imported.reasons.most_common(MOST_LINES)),
        *(_example(example) for example in imported.examples if dry),
    ]
    return "\n".join(lines)


def _example(example: dict[str, Any]) -> str:
    label = Attribute(example["attribute"]).label
    return f"  line {example['line']}, {label}: “{example['written']}” → “{example['value']}”"
