"""Stored endpoints: the key comes back, and only hosts that are allowed and confirmed can be used."""

from datetime import date
from decimal import Decimal

import pytest

from evaluation.llm.budget import Prices
from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.stored_endpoints import KEY_UNREADABLE, NEVER_CONFIRMED, endpoint_of, prices_of
from evaluation.models import ModelEndpoint
from tests.evaluation.llm.rows import ELSEWHERE, make_endpoint

pytestmark = pytest.mark.django_db
HOST = "api.example.org"


def test_an_endpoint_comes_with_its_key_and_its_limits():
    row = make_endpoint("http://127.0.0.1:8081/v1/", key="secret-key", concurrency=3, per_minute=90, timeout=7)
    endpoint = endpoint_of(ModelEndpoint.objects.get(pk=row.pk))
    assert (endpoint.base_url, endpoint.model) == ("http://127.0.0.1:8081/v1", "smollm2")
    assert (endpoint.key, endpoint.concurrency, endpoint.per_minute, endpoint.timeout) == ("secret-key", 3, 90, 7.0)
    assert "secret-key" not in f"{endpoint!r} {row!r}"


def test_an_endpoint_without_a_key_takes_none_from_the_environment(monkeypatch):
    monkeypatch.setenv("TELLTALE_MODEL_KEY", "somebody's")
    assert endpoint_of(make_endpoint()).key == ""


@pytest.mark.parametrize(
    ("hosts", "confirmed"), [([], HOST), ([HOST], ""), ([HOST], "other.example.org"), (["example.org"], HOST)]
)
def test_another_host_needs_the_setting_and_the_confirmation(settings, hosts, confirmed):
    settings.MODEL_HOSTS = hosts
    with pytest.raises(EndpointRefused):
        endpoint_of(make_endpoint(ELSEWHERE, confirmed=confirmed))


def test_an_allowed_and_confirmed_host_can_be_used(settings):
    settings.MODEL_HOSTS = [HOST]
    assert endpoint_of(make_endpoint(ELSEWHERE, confirmed=HOST)).send_texts_to == HOST


def test_the_refusal_sends_the_reader_to_the_page_and_not_to_an_option(settings):
    settings.MODEL_HOSTS = [HOST]
    with pytest.raises(EndpointRefused) as refusal:
        endpoint_of(make_endpoint(ELSEWHERE, name="A {host} {0}"))
    assert str(refusal.value) == NEVER_CONFIRMED.format(name="A {host} {0}")


def test_a_key_that_cannot_be_read_is_named(settings):
    row = make_endpoint(key="secret-key")
    settings.ACCOUNT_KEY = "another"
    with pytest.raises(EndpointRefused) as refusal:
        endpoint_of(row)
    assert str(refusal.value) == KEY_UNREADABLE.format(name=row.name)


def test_prices_are_those_of_the_row_or_none():
    assert prices_of(make_endpoint()) is None
    entered = {"prompt_price": Decimal("0.5"), "completion_price": Decimal(2), "currency": "EUR"}
    row = make_endpoint(name="Dear", prices_read_on=date(2026, 11, 1), **entered)
    assert prices_of(row) == Prices(Decimal("0.5"), Decimal(2), "EUR", date(2026, 11, 1))
