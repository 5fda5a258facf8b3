"""Arguments and progress that the commands about language models share."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import number, plural
from evaluation.llm.budget import Budget, BudgetUnusable, Estimate, Prices
from evaluation.llm.client import Standing
from evaluation.llm.endpoints import Endpoint, EndpointRefused, open_endpoint
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.models import ModelEndpoint

UNKNOWN_NAME = "There is no endpoint “{name}”. There are: {names}."
ADDRESS_HINT = " An address begins with http:// or https://."
OTHER_MODEL = "“{name}” asks the model “{model}”. Leave --model out, or store another endpoint for “{other}”."
NO_ENDPOINT = "Name the endpoint with --endpoint: its address, or the name of a stored one."
NO_MODEL = "Name the model with --model."


def add_model_options(parser: argparse.ArgumentParser) -> None:
    add_endpoint_argument(parser)
    add_asking_arguments(parser)


def add_endpoint_argument(parser: Any, **options: Any) -> None:
    meaning = "OpenAI-compatible, such as http://127.0.0.1:8081/v1; or the name of a stored one"
    parser.add_argument("--endpoint", metavar="URL|NAME", help=meaning, **options)


def add_asking_arguments(parser: Any) -> None:
    """How an endpoint is asked, and what it may cost."""
    parser.add_argument("--model", metavar="NAME", help="at that address; a stored endpoint has its own")
    parser.add_argument("--send-texts-to", metavar="HOST", default="", help="confirms a host that is not this machine")
    parser.add_argument("--concurrency", type=int, metavar="N", help="requests at once [8, or as stored]")
    parser.add_argument("--per-minute", type=int, metavar="N", help="requests a minute [no limit, or as stored]")
    parser.add_argument("--budget-tokens", type=int, metavar="N", help="stop before more tokens are used [no limit]")
    parser.add_argument(
        "--budget-money", type=_money, metavar="AMOUNT", help="stop before it costs more; needs stored prices"
    )


def chosen_endpoint(options: dict[str, Any]) -> tuple[Endpoint, Prices | None]:
    """The endpoint that the options name, by address or by name, with its prices if they are stored."""
    for name in ("concurrency", "per_minute"):
        if options[name] is not None and options[name] < 1:
            raise CommandError(f"--{name.replace('_', '-')} must be at least 1.")
    try:
        return _by_address(options) if is_address(options) else _by_name(options)
    except EndpointRefused as refusal:
        raise CommandError(str(refusal)) from refusal


def is_address(options: dict[str, Any]) -> bool:
    return "://" in (options["endpoint"] or "")


def chosen_budget(options: dict[str, Any], prices: Prices | None) -> Budget:
    try:
        return Budget(tokens=options["budget_tokens"], money=options["budget_money"], prices=prices)
    except BudgetUnusable as refusal:
        raise CommandError(str(refusal)) from refusal


def _by_address(options: dict[str, Any]) -> tuple[Endpoint, None]:
    endpoint = open_endpoint(
        options["endpoint"], options["model"] or "", send_texts_to=options["send_texts_to"],
        concurrency=options["concurrency"] or 8, per_minute=options["per_minute"],
    )  # fmt: skip
    if not endpoint.model:
        raise CommandError(NO_MODEL)
    return endpoint, None


def _by_name(options: dict[str, Any]) -> tuple[Endpoint, Prices | None]:
    row = named_endpoint(options["endpoint"] or "", hint=ADDRESS_HINT)
    if options["model"] and options["model"] != row.model:
        raise CommandError(OTHER_MODEL.format(name=row.name, model=row.model, other=options["model"]))
    endpoint = endpoint_of(row)
    limits = {name: options[name] for name in ("concurrency", "per_minute") if options[name] is not None}
    return replace(endpoint, **limits), prices_of(row)


def named_endpoint(name: str, hint: str = "") -> ModelEndpoint:
    """The stored endpoint with this name, in any case. 1 query. `hint` is added to what an unknown name is told."""
    if not name:
        raise CommandError(NO_ENDPOINT)
    row = ModelEndpoint.objects.usable().filter(name__iexact=name).first()
    if row is None:
        names = ", ".join(ModelEndpoint.objects.usable().values_list("name", flat=True)) or "none yet"
        raise CommandError(UNKNOWN_NAME.format(name=name, names=names) + hint)
    return row


def _money(text: str) -> Decimal:
    """An argparse type: an amount that isn't negative."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0:
        raise argparse.ArgumentTypeError(f"“{text}” isn't an amount, such as 2.50")
    return amount


def estimate_in_words(estimate: Estimate) -> str:
    return (
        f"{plural(estimate.calls, 'call')}: about {plural(estimate.usage.prompt, 'input token')} and at most "
        f"{plural(estimate.usage.completion, 'output token')}. Answers that are already stored cost nothing."
    )


def show_progress(command: BaseCommand, total: int | None = None) -> Callable[[Standing], None]:
    """Print how far the requests are on one line of the terminal. Without a terminal, print nothing."""

    def show(standing: Standing) -> None:
        if command.stderr.isatty():
            done = number(standing.answered + standing.found + standing.failed)
            of_total = "" if total is None else f" of {number(total)}"
            retries = f", {plural(standing.retries, 'retry', 'retries')}" if standing.retries else ""
            line = f"\r{done}{of_total} done, {number(standing.in_flight)} in progress{retries} "
            command.stderr.write(line, ending="")

    return show
