"""Export, import and reset the subreddit list."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import plural
from annotator.corpora.services.hints import import_hints
from profiles.hints.files import MAX_BYTES, HintFile, UnreadableFile, read_hints, write_hints
from profiles.hints.store import shipped_hints, stored_hints


class Command(BaseCommand):
    help = "Export or import the subreddit list, or restore the built-in one."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        export = actions.add_parser("export", help="write the list to a CSV file")
        export.add_argument("file", type=Path)
        importing = actions.add_parser("import", help="import the rows of a CSV file")
        importing.add_argument("file", type=Path)
        importing.add_argument("--replace", action="store_true", help="also remove hints that are not in the file")
        actions.add_parser("reset", help="restore the built-in list")

    def handle(self, *args: object, action: str, **options: Any) -> None:
        if action == "export":
            self._export(options["file"])
        elif action == "import":
            self._import(options["file"], replace=options["replace"])
        else:
            self.stdout.write(f"restored the built-in list: {import_hints(shipped_hints(), replace=True)}")

    def _export(self, file: Path) -> None:
        try:
            with file.open("w", encoding="utf-8", newline="") as csv_file:
                lines = sum(1 for line in write_hints(stored_hints()) if csv_file.write(line))
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"exported {lines - 1} hints to {file}")

    def _import(self, file: Path, *, replace: bool) -> None:
        hints = _read(file)
        for refused in hints.invalid_lines:
            self.stderr.write(f"line {refused.line}: {refused.reason}")
        if replace and hints.invalid_lines:
            raise CommandError(
                f"{plural(len(hints.invalid_lines), 'row')} could not be read and would be lost, so the list was not "
                "replaced. Nothing was changed. Fix them, or import without --replace."
            )
        imported = import_hints(hints.rows, replace=replace)
        self.stdout.write(f"imported {file}: {imported}; {plural(len(hints.invalid_lines), 'row')} set aside")


def _read(file: Path) -> HintFile:
    try:
        with file.open("rb") as csv_file:
            return read_hints(csv_file.read(MAX_BYTES + 1))
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}. Nothing was changed.") from error
    except UnreadableFile as error:
        raise CommandError(f"{file}: {error}") from error
