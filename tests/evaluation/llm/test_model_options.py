"""Which endpoint and which budget the options of a command name."""

import argparse
from datetime import date
from decimal import Decimal

import pytest
from django.core.management import CommandError

from evaluation.management.model_options import add_model_options, chosen_budget, chosen_endpoint
from tests.evaluation.llm.rows import ELSEWHERE, make_endpoint

pytestmark = pytest.mark.django_db
URL = "http://127.0.0.1:8081/v1"
PRICES = {"prompt_price": 1, "completion_price": 2, "currency": "EUR", "prices_read_on": date(2026, 11, 1)}


def read(*arguments: str) -> dict:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_model_options(parser)
    return vars(parser.parse_args(arguments))


def test_an_address_takes_its_key_from_the_environment(monkeypatch):
    monkeypatch.setenv("TELLTALE_MODEL_KEY", "mine")
    endpoint, prices = chosen_endpoint(read("--endpoint", URL, "--model", "small", "--per-minute", "30"))
    assert (endpoint.base_url, endpoint.model, endpoint.key, endpoint.concurrency) == (URL, "small", "mine", 8)
    assert (endpoint.per_minute, prices) == (30, None)


def test_a_name_takes_everything_from_what_is_stored():
    make_endpoint(key="stored", concurrency=3, per_minute=90, **PRICES)
    endpoint, prices = chosen_endpoint(read("--endpoint", "small MODEL"))
    assert (endpoint.model, endpoint.key, endpoint.concurrency, endpoint.per_minute) == ("smollm2", "stored", 3, 90)
    assert prices.currency == "EUR"
    changed, _ = chosen_endpoint(read("--endpoint", "Small model", "--concurrency", "1", "--model", "smollm2"))
    assert (changed.concurrency, changed.per_minute) == (1, 90)


@pytest.mark.parametrize(
    "arguments",
    [
        (), ("--endpoint", "Nope"), ("--endpoint", URL), ("--endpoint", "Small model", "--model", "other"),
        ("--endpoint", "Away"), ("--endpoint", "Old"), ("--endpoint", URL, "--model", "m", "--concurrency", "0"),
        ("--endpoint", URL, "--model", "m", "--per-minute", "0"), ("--endpoint", ELSEWHERE, "--model", "m"),
    ],
)  # fmt: skip
def test_what_names_no_usable_endpoint_is_refused(settings, arguments):
    settings.MODEL_HOSTS = ["api.example.org"]
    make_endpoint()
    make_endpoint(ELSEWHERE, name="Away")
    make_endpoint(name="Old", archived_at="2026-11-01T00:00Z")
    with pytest.raises(CommandError):
        chosen_endpoint(read(*arguments))


def test_an_unknown_name_is_answered_with_those_that_there_are():
    make_endpoint()
    with pytest.raises(CommandError, match="Small model"):
        chosen_endpoint(read("--endpoint", "Nope"))


def test_a_budget_in_money_needs_prices():
    options = read("--budget-money", "2.50", "--budget-tokens", "10")
    with pytest.raises(CommandError, match="prices"):
        chosen_budget(options, None)
    make_endpoint(**PRICES)
    _, prices = chosen_endpoint(read("--endpoint", "Small model"))
    budget = chosen_budget(options, prices)
    assert (budget.money, budget.tokens, budget.prices) == (Decimal("2.50"), 10, prices)


@pytest.mark.parametrize("amount", ["-1", "much", "nan", "inf"])
def test_an_amount_is_a_number(amount):
    with pytest.raises(argparse.ArgumentError):
        read("--budget-money", amount)
