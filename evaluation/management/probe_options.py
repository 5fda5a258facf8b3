"""Arguments of probes, and what they stand for."""

import argparse
from decimal import Decimal
from pathlib import Path
from typing import Any

from evaluation.llm.budget import Budget, BudgetUnusable, Prices
from evaluation.llm.endpoints import Endpoint, EndpointRefused, open_endpoint
from evaluation.llm.stored import endpoint_of, prices_of
from evaluation.management.options import at_least, refuse
from evaluation.models import ModelEndpoint
from evaluation.probes.detection import Mode
from evaluation.probes.dreaddit import STUDY, TEMPLATES, load_template
from evaluation.probes.settings import RESAMPLES, ROUNDS, SEED, ProbeSettings
from evaluation.probes.templates import Template, TemplateUnusable, read_template

NO_ENDPOINT = "There is no endpoint “{name}”. Give the name of a stored one, or an address such as {example}."
EXAMPLE = "http://127.0.0.1:8080/v1"
OWN_MODEL = "The stored endpoint “{name}” has its own model. Leave out --model, or give the address."


def add_asking(group: Any) -> None:
    group.add_argument("--model", metavar="NAME", default="", help="the model's name at the endpoint")
    group.add_argument("--send-texts-to", metavar="HOST", default="", help="confirms a host that is not this machine")
    group.add_argument("--concurrency", type=at_least(1), default=8, metavar="N", help="requests at once [8]")
    group.add_argument("--budget-tokens", type=at_least(1), metavar="N", help="stop before more are used [no limit]")
    group.add_argument(
        "--budget-money",
        type=Decimal,
        metavar="AMOUNT",
        help="stop before it costs more; needs an endpoint with prices",
    )
    group.add_argument("--dry-run", action="store_true", help="print calls and tokens, and ask nothing")


def add_question(group: Any) -> None:
    """What only probes of texts have."""
    group.add_argument("--mode", choices=[mode.value for mode in Mode], default=Mode.FREE.value, help="[free]")
    names = " or ".join(TEMPLATES)
    group.add_argument("--template", default=STUDY, metavar="FILE", help=f"{names}, or a file of your own [{STUDY}]")


def add_draws(group: Any, *, temperature: float, max_tokens: int) -> None:
    group.add_argument("--sample", type=at_least(1), metavar="N", help="only so many items, drawn by the seed [all]")
    group.add_argument("--seed", type=at_least(0), default=SEED, metavar="S", help=f"of all draws [{SEED}]")
    group.add_argument("--repetitions", type=at_least(1), default=1, metavar="R", help="of each prompt [1]")
    group.add_argument("--control", action="store_true", help="ask about each item without a gender as well")
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


def chosen_endpoint(options: dict[str, Any]) -> tuple[Endpoint, Prices | None]:
    """An address, or the name of a stored endpoint. 1 query for the latter."""
    name = options["endpoint"]
    try:
        if "://" in name:
            return _open(options), None
        row = ModelEndpoint.objects.usable().filter(name__iexact=name).first()
        if row is None:
            raise refuse(NO_ENDPOINT.format(name=name, example=EXAMPLE))
        if options["model"]:
            raise refuse(OWN_MODEL.format(name=name))
        return endpoint_of(row), prices_of(row)
    except EndpointRefused as refusal:
        raise refuse(refusal) from refusal


def _open(options: dict[str, Any]) -> Endpoint:
    if not options["model"]:
        raise refuse("Name the model with --model.")
    return open_endpoint(
        options["endpoint"], options["model"], send_texts_to=options["send_texts_to"],
        concurrency=options["concurrency"],
    )  # fmt: skip


def chosen_budget(options: dict[str, Any], prices: Prices | None) -> Budget:
    try:
        return Budget(tokens=options["budget_tokens"], money=options["budget_money"], prices=prices)
    except BudgetUnusable as error:
        raise refuse(error) from error


def has_argument(arguments: list[str], *names: str) -> bool:
    """Whether one of them stands in the command line, with or without `=`."""
    return any(argument.partition("=")[0] in names for argument in arguments)


def exclusive(parser: argparse.ArgumentParser, baselines: list[str]) -> None:
    """What is measured: a model, or a baseline."""
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--endpoint", metavar="NAME|URL", help=f"a stored endpoint, or an address such as {EXAMPLE}")
    choice.add_argument("--baseline", choices=baselines, help="answers without a model; needs no database")
