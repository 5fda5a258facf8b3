"""The pages of endpoints: keys are never shown, hosts are confirmed, old pages overwrite nothing."""

import json
import threading
from contextlib import suppress
from datetime import timedelta
from functools import partial
from html import unescape

import pytest
from django.db import connections
from django.utils import timezone

from annotator.models import AuditEntry
from evaluation.llm import services, views
from evaluation.llm.endpoints import NOT_ALLOWED
from evaluation.llm.forms import CONFIRM, FUTURE, KEY_TWICE, KEY_UNUSABLE, NAME_IS_ADDRESS, NOT_A_CURRENCY
from evaluation.llm.services import version_of
from evaluation.llm.stored_endpoints import KeyChange, endpoint_of
from evaluation.models import ModelEndpoint
from tests.evaluation.llm.rows import ELSEWHERE, make_endpoint

HOST = "api.example.org"
SECRET = "sk-very-secret"


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


@pytest.fixture(autouse=True)
def _hosts(settings):
    settings.MODEL_HOSTS = [HOST]


def typed(row: ModelEndpoint | None = None, **more) -> dict:
    """What a browser sends: what the page showed, and what was typed over it."""
    fields = {"name": "Small model", "base_url": "http://127.0.0.1:8081/v1", "model": "smollm2", "concurrency": 8,
              "timeout": 120}  # fmt: skip
    if row:
        fields = {name: getattr(row, name) for name in fields} | {"version": version_of(row)}
    return fields | more


def change(client, row, **more):
    return client.post(f"/evaluations/endpoints/{row.pk}/", typed(row, **more))


def words(response) -> str:
    return unescape(response.content.decode())


def saved() -> ModelEndpoint:
    return ModelEndpoint.objects.get()


# ── List ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("count", [1, 12])
def test_the_list_takes_as_many_queries_for_many_and_shows_no_key(as_grace, grace, django_assert_num_queries, count):
    for number in range(count):
        make_endpoint(ELSEWHERE, name=f"<b>{number}</b>", key=SECRET, confirmed=HOST, confirmed_by=grace)
    with django_assert_num_queries(3):  # person, count, rows
        page = as_grace.get("/evaluations/endpoints/").content.decode()
    assert "&lt;b&gt;0" in page
    assert "Grace" in page
    assert SECRET not in page


def test_the_list_shows_prices_with_their_date(as_grace):
    make_endpoint(prompt_price="0.150000", completion_price="20", currency="EUR", prices_read_on="2026-11-01")
    page = as_grace.get("/evaluations/endpoints/").content.decode()
    assert "0.15 input, 20 output (EUR)" in page
    assert "1 Nov 2026" in page


@pytest.mark.parametrize("who", ["ada", "rosalind"])
def test_only_admins_find_endpoints(client, request, who):
    client.force_login(request.getfixturevalue(who))
    row = make_endpoint()
    for path in ("", "new/", *(f"{row.pk}/{action}" for action in ("", "confirm/", "try/", "archive/"))):
        assert client.get(f"/evaluations/endpoints/{path}").status_code == 404
        assert client.post(f"/evaluations/endpoints/{path}").status_code == 404
    assert saved().archived_at is None


def test_admins_find_the_list_from_the_evaluations(as_grace):
    assert b"/evaluations/endpoints/" in as_grace.get("/evaluations/").content


def test_researchers_see_no_link(as_rosalind):
    assert b"/evaluations/endpoints/" not in as_rosalind.get("/evaluations/").content


@pytest.mark.parametrize("action", ["try/", "archive/"])
def test_changes_need_a_post(as_grace, action):
    assert as_grace.get(f"/evaluations/endpoints/{make_endpoint().pk}/{action}").status_code == 405


# ── Add ─────────────────────────────────────────────────────────────────────


def test_an_endpoint_is_stored_with_a_sealed_key_and_recorded_without(as_grace, grace):
    response = as_grace.post("/evaluations/endpoints/new/", typed(key=SECRET))
    row = saved()
    assert response.headers["Location"] == f"/evaluations/endpoints/{row.pk}/"
    assert SECRET.encode() not in bytes(row.sealed_key)
    assert endpoint_of(row).key == SECRET
    entry = AuditEntry.objects.get(action=AuditEntry.Action.ENDPOINT_CHANGED)
    assert (entry.actor, entry.details) == (grace, {"endpoint": row.pk, "done": "added", "host": "127.0.0.1"})
    page = as_grace.get(f"/evaluations/endpoints/{row.pk}/").content.decode()
    assert SECRET not in page


def test_a_second_click_stores_nothing_more(as_grace):
    for _ in range(2):
        assert as_grace.post("/evaluations/endpoints/new/", typed(key=SECRET)).status_code == 302
    assert AuditEntry.objects.filter(action=AuditEntry.Action.ENDPOINT_CHANGED).count() == 1
    saved()


@pytest.mark.parametrize("more", [{"model": "other"}, {"name": "SMALL MODEL"}, {"key": "another"}])
def test_a_name_that_is_taken_is_refused(as_grace, more):
    as_grace.post("/evaluations/endpoints/new/", typed(key=SECRET))
    response = as_grace.post("/evaluations/endpoints/new/", typed(**({"key": SECRET} | more)))
    assert response.status_code == 422
    assert views.NAME_TAKEN in words(response)
    saved()


def test_the_name_of_an_archived_endpoint_is_free(as_grace):
    make_endpoint(archived_at=timezone.now())
    assert as_grace.post("/evaluations/endpoints/new/", typed()).status_code == 302


TOMORROW = (timezone.now() + timedelta(days=2)).date()
PRICES = {"prompt_price": "1", "completion_price": "2", "currency": "eur", "prices_read_on": "2026-11-01"}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"name": "http://x"}, NAME_IS_ADDRESS),
        ({"base_url": "https://elsewhere.example/v1"}, NOT_ALLOWED.format(host="elsewhere.example")),
        ({"base_url": f"https://{HOST}.evil.example/v1"}, "TELLTALE_MODEL_HOSTS"),
        ({"base_url": "http://me:pass@127.0.0.1/v1"}, "without a key"),
        ({"base_url": "http://127.0.0.1/v 1"}, "isn't the address"),
        ({"base_url": "http://127.0.0.1:99999/"}, "isn't the address"),
        ({"key": "ключ"}, KEY_UNUSABLE),
        ({"key": "a\tb"}, KEY_UNUSABLE),
        ({"concurrency": 0}, "1 or more"),
        ({"concurrency": 257}, "256 or less"),
        ({"timeout": 3601}, "3600 or less"),
        ({"prompt_price": "1"}, "or none of them"),
        (PRICES | {"prompt_price": "-1"}, "or none of them"),
        (PRICES | {"currency": "€"}, NOT_A_CURRENCY),
        (PRICES | {"prices_read_on": TOMORROW}, FUTURE),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(as_grace, more, sentence):
    response = as_grace.post("/evaluations/endpoints/new/", typed(**more))
    assert response.status_code == 422
    assert sentence in words(response)
    assert not ModelEndpoint.objects.exists()


def test_a_refused_form_does_not_return_the_key(as_grace):
    response = as_grace.post("/evaluations/endpoints/new/", typed(key=SECRET, model=""))
    assert response.status_code == 422
    assert SECRET not in words(response)


def test_an_empty_form_is_refused(as_grace):
    assert as_grace.post("/evaluations/endpoints/new/").status_code == 422


def test_addresses_and_currencies_are_tidied(as_grace):
    as_grace.post("/evaluations/endpoints/new/", typed(base_url=" HTTP://LOCALHOST/v1/chat/completions/ ", **PRICES))
    assert (saved().base_url, saved().currency) == ("http://localhost/v1", "EUR")


# ── Hosts ───────────────────────────────────────────────────────────────────


def confirm(client, row, host=HOST, **more):
    fields = {"host": host, "is_confirmed": "on"} | more
    return client.post(f"/evaluations/endpoints/{row.pk}/confirm/", fields)


def test_another_host_is_asked_about_once(as_grace, grace):
    response = as_grace.post("/evaluations/endpoints/new/", typed(base_url=ELSEWHERE))
    row = saved()
    assert response.headers["Location"] == f"/evaluations/endpoints/{row.pk}/confirm/"
    assert f"sent to {HOST}" in as_grace.get(response.headers["Location"]).content.decode()
    for _ in range(2):
        assert confirm(as_grace, row).status_code == 302
    row.refresh_from_db()
    assert (row.confirmed_host, row.confirmed_by) == (HOST, grace)
    assert endpoint_of(row).host == HOST
    entry = AuditEntry.objects.get(action=AuditEntry.Action.ENDPOINT_CONFIRMED)
    assert entry.details == {"endpoint": row.pk, "host": HOST, "model": "smollm2"}
    assert change(as_grace, row, model="larger").headers["Location"] == f"/evaluations/endpoints/{row.pk}/"


def test_an_empty_checkbox_confirms_nothing(as_grace):
    response = confirm(as_grace, make_endpoint(ELSEWHERE), is_confirmed="")
    assert response.status_code == 422
    assert CONFIRM in words(response)
    assert saved().confirmed_host == ""


def test_only_the_host_that_the_page_named_is_confirmed(as_grace, settings):
    settings.MODEL_HOSTS = [HOST, "other.example.org"]
    row = make_endpoint("https://other.example.org/v1")
    assert confirm(as_grace, row).status_code == 422
    settings.MODEL_HOSTS = []
    assert confirm(as_grace, row, host="other.example.org").status_code == 422
    assert saved().confirmed_host == ""


def test_another_host_loses_the_confirmation_and_the_key(as_grace, settings):
    settings.MODEL_HOSTS = [HOST, "other.example.org"]
    row = make_endpoint(ELSEWHERE, key=SECRET, confirmed=HOST)
    response = as_grace.post(
        f"/evaluations/endpoints/{row.pk}/", typed(row, base_url="https://other.example.org/v1"), follow=True
    )
    row.refresh_from_db()
    assert (row.sealed_key, row.confirmed_host, row.confirmed_at) == (None, "", None)
    assert views.KEY_DROPPED in words(response)
    assert response.redirect_chain[-1][0].endswith("/confirm/")


@pytest.mark.parametrize("url", [f"http://{HOST}/v1", f"https://{HOST}:8443/v1"])
def test_a_key_does_not_follow_to_another_port_or_without_encryption(as_grace, url):
    row = make_endpoint(ELSEWHERE, key=SECRET, confirmed=HOST)
    change(as_grace, row, base_url=url)
    row.refresh_from_db()
    assert (row.sealed_key, row.confirmed_host) == (None, HOST)


def test_a_key_that_is_typed_goes_to_the_new_host(as_grace):
    row = make_endpoint(key=SECRET)
    change(as_grace, row, base_url=ELSEWHERE, key="new-key")
    confirm(as_grace, row)
    assert endpoint_of(saved()).key == "new-key"


def test_another_path_keeps_the_key(as_grace):
    row = make_endpoint(key=SECRET)
    change(as_grace, row, base_url="http://127.0.0.1:8081/v2")
    assert endpoint_of(saved()).key == SECRET


# ── Change ──────────────────────────────────────────────────────────────────


def test_an_empty_key_keeps_the_stored_one_and_the_checkbox_removes_it(as_grace):
    row = make_endpoint(key=SECRET)
    change(as_grace, row, model="larger")
    row = saved()
    assert (row.model, endpoint_of(row).key) == ("larger", SECRET)
    both = change(as_grace, row, key="new", remove_key="on")
    assert both.status_code == 422
    assert KEY_TWICE in words(both)
    change(as_grace, row, remove_key="on")
    assert saved().sealed_key is None


def test_a_change_is_recorded_by_its_fields_and_nothing_by_nothing(as_grace):
    row = make_endpoint(key=SECRET)
    change(as_grace, row)
    assert not AuditEntry.objects.filter(action=AuditEntry.Action.ENDPOINT_CHANGED).exists()
    change(as_grace, row, model="larger", key="other-secret")
    entry = AuditEntry.objects.get(action=AuditEntry.Action.ENDPOINT_CHANGED)
    assert entry.details["done"] == ["model", "key"]
    assert "secret" not in json.dumps(entry.details)


def test_an_old_page_overwrites_nothing(as_grace):
    row = make_endpoint()
    old = typed(row, model="mine")
    change(as_grace, row, model="theirs")
    response = as_grace.post(f"/evaluations/endpoints/{row.pk}/", old)
    assert response.status_code == 422
    assert views.MEANWHILE in words(response)
    assert saved().model == "theirs"


def test_a_second_click_on_save_is_no_conflict(as_grace):
    row = make_endpoint(key=SECRET)
    fields = typed(row, model="larger", key="new-key")
    for _ in range(2):
        assert as_grace.post(f"/evaluations/endpoints/{row.pk}/", fields).status_code == 302
    assert AuditEntry.objects.filter(action=AuditEntry.Action.ENDPOINT_CHANGED).count() == 1


def test_a_name_that_another_endpoint_has_is_refused(as_grace):
    make_endpoint(name="Other")
    row = make_endpoint()
    response = change(as_grace, row, name="OTHER")
    assert response.status_code == 422
    assert views.NAME_TAKEN in words(response)


def test_a_stored_key_that_cannot_be_read_any_more_can_be_replaced(as_grace, settings):
    row = make_endpoint(key=SECRET)
    settings.ACCOUNT_KEY = "another"
    assert change(as_grace, row, key="new-key").status_code == 302
    assert endpoint_of(saved()).key == "new-key"


# ── Archive ─────────────────────────────────────────────────────────────────


def test_an_archived_endpoint_has_no_key_and_cannot_be_changed(as_grace):
    row = make_endpoint(key=SECRET)
    for _ in range(2):
        assert as_grace.post(f"/evaluations/endpoints/{row.pk}/archive/").status_code == 302
    row.refresh_from_db()
    assert (row.sealed_key, row.archived_at is None) == (None, False)
    assert AuditEntry.objects.get(action=AuditEntry.Action.ENDPOINT_CHANGED).details["done"] == "archived"
    for path in ("", "confirm/", "try/"):
        assert as_grace.post(f"/evaluations/endpoints/{row.pk}/{path}").status_code == 404
    assert "archived" in as_grace.get("/evaluations/endpoints/").content.decode()


def test_the_database_tables_does_not_show_sealed_keys(as_grace):
    row = make_endpoint(key=SECRET)
    page = as_grace.get(f"/tables/evaluation/modelendpoint/{row.pk}/change/").content.decode()
    assert "smollm2" in page
    assert "ealed" not in page


# ── At the same moment ──────────────────────────────────────────────────────


def together(works) -> list:
    """The results of all of them, started at once; or what they raised."""
    barrier, results = threading.Barrier(len(works)), []

    def run(work):
        barrier.wait()
        try:
            results.append(work())
        except Exception as error:
            results.append(error)
        connections.close_all()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


COLUMNS = {
    "name": "Small", "base_url": "http://127.0.0.1:8081/v1", "model": "m", "concurrency": 8, "timeout": 120,
    "per_minute": None, "prompt_price": None, "completion_price": None, "currency": "", "prices_read_on": None,
}  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_store_one_endpoint(grace):
    key = KeyChange(SECRET)
    add = partial(services.add_endpoint, COLUMNS, key, by=grace, request=None)
    assert {result.endpoint.pk for result in together([add, add])} == {saved().pk}


@pytest.mark.django_db(transaction=True)
def test_of_two_edits_at_once_one_is_told_about_the_other(grace, monkeypatch):
    """Both are held where they have looked and not yet written; the lock lets only one of them get there."""
    row, barrier = make_endpoint(), threading.Barrier(2)
    common = {"version": version_of(row), "by": grace, "request": None}

    def look(row):
        with suppress(threading.BrokenBarrierError):
            barrier.wait(0.3)
        return version_of(row)

    monkeypatch.setattr(services, "version_of", look)
    edits = [
        partial(services.change_endpoint, row.pk, COLUMNS | {"model": model}, KeyChange(), **common) for model in "ab"
    ]
    results = together(edits)
    assert [type(result) for result in results].count(services.ChangedMeanwhile) == 1
    assert saved().model in ("a", "b")
