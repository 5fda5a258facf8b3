"""Arguments, checks and outputs that the scoring commands share."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from rich.console import Console

from annotator.core.lookups import UnknownName, batch_named, corpus_named
from annotator.exchange.export.files import FileNotWritten, atomic_file
from annotator.models import Batch
from evaluation.reports.requirements import Requirement, RequirementUnusable
from profiles.models import Corpus

UNUSABLE = 2  # the exit status when nothing was done, because an argument or a file can't be used
STANDARD_OUTPUT = Path("-")
WIDTH = 150  # where there is no terminal that has one

Json = Mapping[str, Any]


def refuse(message: object) -> CommandError:
    """An error that ends the command with 2. Nothing was written."""
    return CommandError(f"{message}", returncode=UNUSABLE)


# ── Arguments ───────────────────────────────────────────────────────────────


def share(option: str) -> Any:
    """An argparse type: a number from 0 to 1."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise argparse.ArgumentTypeError(f"“{text}” isn't a number from 0 to 1, such as {option}")
        return value

    return parse


def at_least(least: float, kind: type[int] | type[float] = int) -> Any:
    """An argparse type: a number that isn't smaller."""

    def parse(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = kind(least - 1)
        if not least <= value < float("inf"):
            raise argparse.ArgumentTypeError(
                f"“{text}” isn't a {'whole ' if kind is int else ''}number of at least {least:g}"
            )
        return value

    return parse


def add_choice_argument(group: Any, name: str, choices: Sequence[str], default: str, meaning: str) -> None:
    group.add_argument(f"--{name}", choices=list(choices), default=default, help=f"{meaning} [{default}]")


def add_bootstrap_arguments(group: Any, resamples: int, seed: int) -> None:
    group.add_argument("--bootstrap", type=at_least(0), default=resamples, metavar="N", help=f"[{resamples}]")
    group.add_argument("--seed", type=at_least(0), default=seed, metavar="N", help=f"of the bootstrap [{seed}]")


def add_json_argument(group: Any) -> None:
    """Without a file, the report goes to standard output."""
    group.add_argument(
        "--json", type=Path, nargs="?", const=STANDARD_OUTPUT, metavar="FILE",
        help="the whole report; without a file, or with -, to standard output",
    )  # fmt: skip


def add_report_arguments(group: Any, *, page: str, requirement: str) -> None:
    """`page` says what the HTML file has, `requirement` who must reach what."""
    add_json_argument(group)
    group.add_argument("--html", type=Path, metavar="FILE", help=page)
    group.add_argument(
        "--fail-under", nargs="+", default=[], metavar="METRIC=VALUE", help=f"end with 1 if {requirement}"
    )


def check_outputs(options: Json, names: Iterable[str]) -> None:
    for name in names:
        if options[name] != STANDARD_OUTPUT:
            check_folder(options[name], f"--{name.replace('_', '-')}")


def check_folder(path: Path | None, option: str) -> None:
    """Refuse a file that can't be written before the work begins, not after it."""
    if path is not None and not path.parent.is_dir():
        raise refuse(f"{option}: there is no folder {path.parent}. Create it, or choose another place.")
    if path is not None and path.is_dir():
        raise refuse(f"{option}: {path} is a folder. Name a file.")


def chosen_corpus(options: Json) -> tuple[Corpus, Batch | None]:
    """What `--corpus` and `--batch` name. Raises UnknownName. 2 queries, or 1 without a batch."""
    corpus = corpus_named(options["corpus"])
    batch = batch_named(options["batch"]) if options["batch"] else None
    if batch is not None and batch.corpus_id != corpus.pk:
        raise UnknownName(f"“{batch.name}” is not a batch of “{corpus.name}”.")
    return corpus, batch


# ── Requirements ────────────────────────────────────────────────────────────


def parse_requirements(texts: Iterable[str], example: str) -> list[Requirement]:
    try:
        return [Requirement.parse(text, example) for text in texts]
    except RequirementUnusable as error:
        raise refuse(f"--fail-under: {error}") from error


def find_unmet(
    failures: Callable[[Json, Iterable[Requirement]], list[str]], report: Json, requirements: Iterable[Requirement]
) -> list[str]:
    """Refuse an unknown metric before anything is printed or written."""
    try:
        return failures(report, requirements)
    except RequirementUnusable as error:
        raise refuse(f"--fail-under: {error}") from error


# ── Outputs ─────────────────────────────────────────────────────────────────


def report_console(path: Path | None) -> Console:
    """On standard error if standard output has the JSON."""
    file = sys.stderr if path == STANDARD_OUTPUT else sys.stdout
    return Console(file=file, width=None if file.isatty() else WIDTH)


def write_json(contents: object, path: Path | None) -> None:
    """In ASCII, which any terminal and any reader can take."""
    text = json.dumps(contents, indent=1) + "\n"
    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
    elif path:
        write_file(path, text)


def write_file(path: Path, text: str) -> None:
    try:
        with atomic_file(path) as file:
            file.write(text.encode())
    except FileNotWritten as error:
        raise refuse(f"{path}: {error}") from error
