"""Without Valkey: pages, sign-in and saves keep working, and nobody waits long."""

import time
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from kombu.exceptions import OperationalError

from annotator.accounts import lockout
from annotator.core import cache as cache_module
from annotator.core.celery_app import app
from annotator.core.waiting_jobs import jobs_to_call
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.services.exports import request_export
from annotator.exchange.tasks import make_export
from annotator.models import Export, Format
from annotator.study.queries.attention import QUEUE_AWAY
from profiles.models import Ingest
from profiles.models.jobs import SILENCE
from tests.annotator.accounts.sign_in_forms import is_signed_in, sign_in
from tests.annotator.corpora.dumps import make_imported_corpus, make_ingest
from tests.factories import make_corpus

pytestmark = pytest.mark.django_db
NOWHERE = "redis://127.0.0.1:1/0"


@pytest.fixture
def without_valkey(settings, monkeypatch) -> None:
    monkeypatch.setattr(cache_module, "retry_at", 0.0)
    settings.CACHES = {name: options | {"LOCATION": NOWHERE} for name, options in settings.CACHES.items()}
    settings.REDIS_URL = NOWHERE
    cache.clear()


def make_export_request(*, ago: timedelta, **fields) -> Export:
    export = Export.objects.create(corpus=make_corpus(), format="native", options={}, **fields)
    Export.objects.filter(pk=export.pk).update(requested_at=timezone.now() - ago)
    return export


@pytest.mark.usefixtures("without_valkey")
def test_counts_and_claims_in_this_process():
    assert cache.add("claim", True, 30)
    assert not cache.add("claim", True, 30)
    assert cache.add("count", 0, 30)
    assert [cache.incr("count"), cache.incr("count")] == [1, 2]
    cache.delete_many(["claim", "count"])
    assert cache.get_many(["claim", "count"]) == {}


@pytest.mark.usefixtures("without_valkey")
def test_does_not_try_for_each_request(monkeypatch):
    started = time.monotonic()
    for _ in range(200):
        cache.get("anything")
    assert time.monotonic() - started < 1


@pytest.mark.usefixtures("without_valkey")
def test_people_sign_in_work_and_sign_out(ada):
    client = Client()
    assert sign_in(client, "ada").status_code == 302
    assert client.get("/").status_code == 200
    saved = client.post("/account/", {"display_name": "Ada L.", "email": ada.email})
    assert saved.status_code == 302
    client.post("/account/logout/")
    assert not is_signed_in(client)


@pytest.mark.usefixtures("without_valkey")
def test_wrong_passwords_still_lock_out(client, ada):
    for _ in range(6):
        sign_in(client, "ada", "wrong")
    assert lockout.is_locked_out(ada)
    assert sign_in(client, "ada").status_code == 200


@pytest.mark.usefixtures("without_valkey")
def test_the_overview_says_that_jobs_wait(as_grace):
    make_corpus()
    assert QUEUE_AWAY in as_grace.get("/").content.decode()


def test_the_overview_says_nothing_while_the_queue_is_there(as_grace):
    make_corpus()
    assert QUEUE_AWAY not in as_grace.get("/").content.decode()


def test_is_used_again_when_it_is_back(monkeypatch):
    monkeypatch.setattr(cache_module, "retry_at", time.monotonic() + 60)
    cache.set("key", "in this process")
    monkeypatch.setattr(cache_module, "retry_at", 0.0)
    assert cache.get("key") is None
    cache.set("key", "in Valkey")
    assert cache.get("key") == "in Valkey"


def test_asking_for_a_job_fails_quickly_without_a_broker():
    started = time.monotonic()
    with app.connection_for_write(NOWHERE) as connection, pytest.raises(OperationalError):
        make_export.apply_async([1], connection=connection)
    assert time.monotonic() - started < 3


def test_a_request_survives_that_its_job_cannot_be_queued(grace, django_capture_on_commit_callbacks, monkeypatch):
    calls = []

    def fail(export_id: int) -> None:
        calls.append(export_id)
        raise OperationalError

    monkeypatch.setattr(make_export, "delay", fail)
    with django_capture_on_commit_callbacks(execute=True):
        export = request_export(make_corpus(), ExportOptions(format=Format.NATIVE), by=grace)
    assert calls == list(Export.objects.values_list("pk", flat=True)) == [export.pk]


def test_waiting_jobs_are_called_once_their_time_is_over():
    overdue = make_export_request(ago=2 * SILENCE)
    make_export_request(ago=SILENCE / 2)
    make_export_request(ago=2 * SILENCE, began_at=timezone.now())
    make_export_request(ago=2 * SILENCE, finished_at=timezone.now())
    assert jobs_to_call(Export.objects.all()) == [overdue.pk]
    assert jobs_to_call(Export.objects.all()) == []


def test_only_the_newest_ingest_of_a_corpus_is_called():
    corpus, long_ago = make_imported_corpus(), timezone.now() - 2 * SILENCE
    first, second = make_ingest(corpus), make_ingest(corpus)
    waiting = {"began_at": None, "beat_at": None, "finished_at": None, "stage": "waiting", "requested_at": long_ago}
    Ingest.objects.filter(pk__in=[first.pk, second.pk]).update(**waiting)
    assert list(Ingest.objects.newest_waiting()) == [second]
    Ingest.objects.filter(pk=first.pk).update(began_at=timezone.now(), beat_at=timezone.now(), stage="reading")
    assert list(Ingest.objects.newest_waiting()) == []


def test_operations_share_one_client():
    """Making a client takes longer than asking Valkey."""
    clients = {id(cache._cache.get_client(key, write=write)) for key in "ab" for write in (True, False)}
    assert len(clients) == 1
