"""Arguments of probes, and what they stand for."""

import argparse
from pathlib import Path
from typing import Any

from evaluation.management.model_options import add_endpoint_argument
from evaluation.management.options import at_least, refuse
from evaluation.probes.detection import Mode
from evaluation.probes.dreaddit import STUDY, TEMPLATES, load_template
from evaluation.probes.settings import RESAMPLES, ROUNDS, SEED, ProbeSettings
from evaluation.probes.templates import Template, TemplateUnusable, read_template


def add_question(group: Any) -> None:
    """What only probes of texts have."""
    group.add_argument("--mode", choices=[mode.value for mode in Mode], default=Mode.FREE.value, help="[free]")
    names = " or ".join(TEMPLATES)
    group.add_argument("--template", default=STUDY, metavar="FILE", help=f"{names}, or a file of your own [{STUDY}]")


def add_draws(group: Any, *, temperature: float, max_tokens: int) -> None:
    group.add_argument(
        "--sample", type=at_least(1), metavar="N", help="ask about this many items, drawn with the seed [all]"
    )
    group.add_argument("--seed", type=at_least(0), default=SEED, metavar="S", help=f"of all draws [{SEED}]")
    group.add_argument("--repetitions", type=at_least(1), default=1, metavar="R", help="of each prompt [1]")
    group.add_argument("--control", action="store_true", help="also ask about each item without a gender")
    for name, kind, default in (("temperature", float, temperature), ("max-tokens", int, max_tokens)):
        least = at_least(0 if kind is float else 1, kind)
        group.add_argument(f"--{name}", type=least, default=default, metavar="N", help=f"of an answer [{default}]")
    group.add_argument("--bootstrap", type=at_least(0), default=RESAMPLES, metavar="N", help=f"[{RESAMPLES}]")
    group.add_argument("--rounds", type=at_least(1), default=ROUNDS, metavar="N", help=f"of permutations [{ROUNDS}]")


def chosen_settings(options: dict[str, Any]) -> ProbeSettings:
    names = ("repetitions", "sample", "seed", "temperature", "max_tokens", "bootstrap", "rounds")
    try:
        return ProbeSettings(
            mode=Mode(options.get("mode", Mode.FREE)),
            has_control=options["control"],
            **{name: options[name] for name in names},
        )
    except ValueError as error:
        raise refuse(error) from error


def chosen_template(options: dict[str, Any]) -> Template:
    """Refused before anything is asked, the control prompt too."""
    name = options["template"]
    try:
        template = load_template(name) if name in TEMPLATES else read_template(Path(name))
        if options["control"]:
            template.fill_control("")
    except TemplateUnusable as error:
        raise refuse(f"--template {name}: {error}") from error
    return template


def has_argument(arguments: list[str], *names: str) -> bool:
    """Whether one of them stands in the command line, with or without `=`."""
    return any(argument.partition("=")[0] in names for argument in arguments)


def exclusive(parser: argparse.ArgumentParser, baselines: list[str]) -> None:
    """What is measured: a model, or a baseline."""
    choice = parser.add_mutually_exclusive_group(required=True)
    add_endpoint_argument(choice)
    choice.add_argument("--baseline", choices=baselines, help="answers without a model; needs no database")
