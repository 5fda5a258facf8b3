"""The pages for machines."""

import json

import pytest
from django.db import OperationalError

from annotator.core.heartbeat import beat, claim_turn, leave, workers_alive
from annotator.site.views import health

pytestmark = pytest.mark.django_db


def test_healthz_needs_nothing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get("/healthz").content == b"alive\n"


def test_readyz_is_ready_when_everything_is_there(client):
    beat("worker@test")
    response = client.get("/readyz")
    assert response.status_code == 200
    assert set(json.loads(response.content).values()) == {"ok"}


def test_readyz_says_that_the_worker_is_missing(client):
    response = client.get("/readyz")
    assert response.status_code == 200  # pages work
    assert json.loads(response.content) == {"database": "ok", "broker": "ok", "worker": "missing", "migrations": "ok"}


def test_readyz_says_that_the_broker_is_missing_and_no_more(client, settings):
    settings.REDIS_URL = "redis://:a-password@127.0.0.1:1/0"
    response = client.get("/readyz")
    assert response.status_code == 200  # pages work
    assert json.loads(response.content)["broker"] == "missing"
    assert b"password" not in response.content
    assert b"127.0.0.1" not in response.content


def test_readyz_says_that_the_database_is_missing(client, monkeypatch):
    def gone() -> bool:
        raise OperationalError("could not connect to server at /secret/place")

    monkeypatch.setitem(health.CHECKS, "database", gone)
    response = client.get("/readyz")
    assert json.loads(response.content)["database"] == "missing"
    assert b"secret" not in response.content


def test_readyz_notices_a_migration_that_was_not_applied(client, monkeypatch):
    monkeypatch.setattr(health, "KNOWN_APPLIED", [])
    monkeypatch.setattr(health.MigrationExecutor, "migration_plan", lambda *_: ["one"])
    assert json.loads(client.get("/readyz").content)["migrations"] == "missing"


def test_a_worker_that_leaves_is_gone_at_once():
    beat("worker@test")
    assert workers_alive() == 1
    leave("worker@test")
    assert workers_alive() == 0


def test_of_all_workers_one_has_the_turn():
    assert claim_turn("sweep", every=60)
    assert not claim_turn("sweep", every=60)
    assert claim_turn("something else", every=60)


def test_while_the_broker_is_away_it_is_nobodys_turn(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert not claim_turn("sweep", every=60)


def test_a_worker_that_stopped_beating_is_gone(monkeypatch):
    beat("worker@test")
    monkeypatch.setattr("annotator.core.heartbeat.BEAT_TIMEOUT", 0.0)
    assert workers_alive() == 0


@pytest.mark.parametrize("sent", ["", "Bearer wrong", "Bearer ", "Bearer ü"])
def test_metrics_do_not_exist_without_the_token(client, settings, sent):
    settings.METRICS_TOKEN = "right"
    assert client.get("/metrics", headers={"Authorization": sent}).status_code == 404


def test_metrics_do_not_exist_when_no_token_is_set(client, settings):
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_metrics_count_requests_by_view_and_rows_by_table(client, settings):
    settings.METRICS_TOKEN = "right"
    client.get("/healthz")
    page = client.get("/metrics", headers={"Authorization": "Bearer right"}).content.decode()
    assert 'telltale_requests_total{method="GET",status="200",view="annotator:healthz"}' in page
    assert 'telltale_rows{table="profiles_comment"}' in page
    assert "telltale_workers_alive 0" in page
