"""The choice of a label scheme, which the commands about spans share."""

import argparse
from pathlib import Path
from typing import Any

from evaluation.management.options import refuse
from evaluation.spans.label_files import PRESETS, UnreadableScheme, load_preset, load_scheme
from evaluation.spans.labels import LabelScheme

DEFAULT_PRESET = "echr-study"


def add_scheme_arguments(parser: argparse.ArgumentParser) -> None:
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--preset", choices=PRESETS, help=f"a built-in label scheme [{DEFAULT_PRESET}]")
    choice.add_argument("--scheme", type=Path, metavar="FILE", help="a label scheme of your own, TOML or JSON")


def chosen_scheme(options: dict[str, Any]) -> LabelScheme:
    try:
        return load_scheme(options["scheme"]) if options["scheme"] else load_preset(options["preset"] or DEFAULT_PRESET)
    except UnreadableScheme as error:
        raise refuse(f"{options['scheme'] or ''}{': ' if options['scheme'] else ''}{error}") from error
