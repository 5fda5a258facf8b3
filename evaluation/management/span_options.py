"""Arguments that the commands about spans share."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from evaluation.spans.label_files import PRESETS, UnreadableScheme, load_preset, load_scheme
from evaluation.spans.labels import LabelScheme

UNUSABLE = 2  # the exit status when nothing was done, because an argument or a file can't be used
DEFAULT_PRESET = "echr-study"


def refuse(message: object) -> CommandError:
    """An error that ends the command with 2. Nothing was written."""
    return CommandError(f"{message}", returncode=UNUSABLE)


def add_scheme_arguments(parser: argparse.ArgumentParser) -> None:
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--preset", choices=PRESETS, help=f"a label scheme that comes along [{DEFAULT_PRESET}]")
    choice.add_argument("--scheme", type=Path, metavar="FILE", help="a label scheme of your own, TOML or JSON")


def chosen_scheme(options: dict[str, Any]) -> LabelScheme:
    try:
        return load_scheme(options["scheme"]) if options["scheme"] else load_preset(options["preset"] or DEFAULT_PRESET)
    except UnreadableScheme as error:
        raise refuse(f"{options['scheme'] or ''}{': ' if options['scheme'] else ''}{error}") from error


def check_folder(path: Path | None, option: str) -> None:
    """Refuse a file that can't be written before the work begins, not after it."""
    if path is not None and not path.parent.is_dir():
        raise refuse(f"{option}: there is no folder {path.parent}. Create it, or choose another place.")
    if path is not None and path.is_dir():
        raise refuse(f"{option}: {path} is a folder. Name a file.")


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
            raise argparse.ArgumentTypeError(f"“{text}” isn't a {'whole ' if kind is int else ''}number from {least:g}")
        return value

    return parse
