"""The export pages: access, forms, downloads and expiry."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotator.exchange.export.job import run
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.storage import drop_exports, path_of, sweep_exports
from annotator.exchange.export.writer import NOTHING_LEFT
from annotator.exchange.forms import OTHER_CORPUS, REASON_REQUIRED
from annotator.exchange.queries.exports import EXPIRED, WITHDRAWN
from annotator.exchange.services.exports import NamesRefused, request_export
from annotator.models import Export, Format
from annotator.privacy.services import forget_account
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.exchange.files import make_labelled
from tests.annotator.privacy.forgotten_account import NAME, make_account
from tests.factories import make_batch, make_corpus

pytestmark = pytest.mark.django_db
PATH = "/exports/"
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.EXPORTS = tmp_path / "exports"


def export_form(corpus, **changes) -> dict:
    return {"corpus": corpus.pk, "format": "native", "min_certainty": "0"} | changes


def make_export(by, corpus=None, **options) -> Export:
    reason = {"reason": "for the archive"} if options.get("with_names") else {}
    export = request_export(corpus or make_labelled(), ExportOptions(**options), by=by, **reason)
    run(export.pk)
    export.refresh_from_db()
    return export


def test_is_not_for_evaluators(client, grace, as_ada):
    export = make_export(grace)
    for path in (PATH, f"{PATH}{export.pk}/", f"{PATH}{export.pk}/file/", f"{PATH}{export.pk}/manifest/"):
        assert as_ada.get(path).status_code == 404
    assert as_ada.post(PATH, export_form(export.corpus)).status_code == 404
    client.logout()
    assert client.get(PATH)["Location"].startswith("/account/login/")


def test_is_asked_for_made_and_fetched(as_grace, grace):
    corpus = make_labelled()
    response = as_grace.post(PATH, export_form(corpus, format="llmprivacy", hardness=["2", "1"], with_text="on"))
    assert response.status_code == 302
    export = Export.objects.get()
    assert ExportOptions.from_json(export.options) == ExportOptions(
        format=Format.LLMPRIVACY, hardness=(1, 2), with_text=True
    )
    page = as_grace.get(f"{PATH}{export.pk}/").content.decode()
    assert "Waiting for a worker" in page
    run(export.pk)
    page = as_grace.get(f"{PATH}{export.pk}/").content.decode()
    assert "Ready" in page
    response = as_grace.get(f"{PATH}{export.pk}/file/")
    assert b"".join(response).startswith(b'{"username":')
    assert response["Content-Disposition"].startswith('attachment; filename="telltale-pilot-corpus-llmprivacy-')
    assert response["X-Content-Type-Options"] == "nosniff"
    manifest = json.loads(as_grace.get(f"{PATH}{export.pk}/manifest/").content)
    assert manifest["made_by"] == grace.code
    assert manifest["counts"]["gold"] == 2
    assert actions() == ["export_started", "export_fetched"]
    assert entry("export_fetched").details == {"export": export.pk, "names": False}


def test_names_are_for_admins_with_a_reason(client, grace, rosalind):
    corpus = make_labelled()
    client.force_login(grace)
    response = client.post(PATH, export_form(corpus, with_names="on"))
    assert response.status_code == 422
    assert response.context["form"].errors["reason"] == [REASON_REQUIRED]
    client.post(PATH, export_form(corpus, with_names="on", reason="tinroof_rusty wants a copy"))
    assert entry("export_started").details["names"] is True
    assert entry("export_started").details["reason"] == "… wants a copy"
    named = Export.objects.get()
    client.force_login(rosalind)
    client.post(PATH, export_form(corpus, with_names="on", reason="curious"))
    assert not Export.objects.latest("pk").with_names
    with pytest.raises(NamesRefused):
        request_export(corpus, ExportOptions(with_names=True), by=rosalind, reason="curious")
    assert client.get(f"{PATH}{named.pk}/").status_code == 404
    assert f'href="{PATH}{named.pk}/"' not in client.get(PATH).content.decode()


def test_whoever_is_no_admin_reads_only_exports_without_names(grace, rosalind, ada):
    corpus = make_corpus()
    plain = Export.objects.create(corpus=corpus, format="csv", asked_by=grace)
    named = Export.objects.create(corpus=corpus, format="csv", asked_by=rosalind, with_names=True, reason="to ask")
    assert set(Export.objects.readable_by(grace)) == {plain, named}
    assert list(Export.objects.readable_by(rosalind)) == list(Export.objects.readable_by(ada)) == [plain]


def test_researchers_see_each_others_exports_without_names(client, rosalind, grace):
    export = make_export(grace)
    client.force_login(rosalind)
    assert client.get(f"{PATH}{export.pk}/file/").getvalue().startswith(b'{"schema"')
    assert "Account names" not in client.get(PATH).content.decode()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"format": "xml"}, "format"),
        ({"corpus": 0}, "corpus"),
        ({"hardness": ["7"]}, "hardness"),
        ({"min_certainty": "six"}, "min_certainty"),
        ({"attributes": ["shoe size"]}, "attributes"),
        ({"per_reviewer": "on"}, "per_reviewer"),
        ({"per_reviewer": "on", "format": "llmprivacy", "hardness": ["1"]}, "per_reviewer"),
    ],
    ids=str,
)
def test_refuses_what_cannot_be(as_grace, changes, field):
    response = as_grace.post(PATH, export_form(make_labelled()) | changes)
    assert response.status_code == 422
    assert field in response.context["form"].errors
    assert not Export.objects.exists()


def test_a_link_fills_in_the_filters_but_never_asks_for_names(as_grace):
    corpus = make_labelled()
    query = "hardness=3&hardness=4&attributes=age&min_certainty=3&with_names=on&reason=x"
    page = as_grace.get(f"{PATH}?corpus={corpus.pk}&{query}").content.decode()
    ticked = [line for line in page.split("<input") if "checked" in line]
    assert [value for value in ("age", "3", "4") if not any(f'value="{value}"' in line for line in ticked)] == []
    assert '<option value="3" selected>3</option>' in page
    assert not any("with_names" in line for line in ticked)
    assert 'value="x"' not in page
    assert as_grace.get(f"{PATH}?corpus=x&hardness=9&attributes=%00&batch=-1").status_code == 200


def test_a_forgotten_account_leaves_no_file_behind(grace, django_capture_on_commit_callbacks):
    profile = make_account()
    profile.built_gold.delete()  # its gold is not older than its judgements: none of them counts
    export = make_export(grace, profile.corpus)
    assert path_of(export).is_file()
    with django_capture_on_commit_callbacks(execute=True):
        forget_account(NAME)
    assert not path_of(export).is_file()


def test_an_export_removed_by_a_takedown_says_so(as_grace, grace, django_capture_on_commit_callbacks):
    profile = make_account()
    profile.built_gold.delete()  # its gold is not older than its judgements: none of them counts
    gone, expired = make_export(grace, profile.corpus), make_export(grace, profile.corpus)
    Export.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(days=1))
    with django_capture_on_commit_callbacks(execute=True):
        forget_account(NAME)
    rows = {row.pk: row.job.label for row in as_grace.get(PATH).context["page"]}
    assert rows == {gone.pk: WITHDRAWN, expired.pk: EXPIRED}
    page = as_grace.get(f"{PATH}{gone.pk}/")
    assert page.context["export"].withdrawn_at is not None
    assert "account was removed" in page.content.decode()
    assert "taken down" not in as_grace.get(f"{PATH}{expired.pk}/").content.decode()


def test_refuses_a_batch_of_another_corpus(as_grace):
    other = make_batch()
    response = as_grace.post(PATH, export_form(make_labelled(), batch=other.pk))
    assert response.context["form"].errors["batch"] == [OTHER_CORPUS]


def test_tells_why_it_stopped(as_grace, grace):
    export = make_export(grace, hardness=(5,))
    assert NOTHING_LEFT in as_grace.get(f"{PATH}{export.pk}/").content.decode()
    assert as_grace.get(f"{PATH}{export.pk}/file/").status_code == 404
    assert as_grace.get(f"{PATH}{export.pk}/manifest/").status_code == 404


def test_a_file_goes_when_its_time_is_over_and_its_manifest_stays(as_grace, grace):
    export = make_export(grace)
    path = path_of(export)
    assert path.exists()
    Export.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert as_grace.get(f"{PATH}{export.pk}/file/").status_code == 404
    assert "Expired" in as_grace.get(PATH).content.decode()
    assert not path.exists()
    assert as_grace.get(f"{PATH}{export.pk}/manifest/").status_code == 200
    assert sweep_exports() == 0


def test_files_of_a_corpus_can_be_dropped_at_once(grace):
    export = make_export(grace)
    assert drop_exports([export.corpus_id]) == 1
    assert not path_of(export).exists()


def test_is_made_once_however_often_it_is_asked_for(grace):
    export = make_export(grace)
    sha256, finished_at = export.sha256, export.finished_at
    run(export.pk)
    export.refresh_from_db()
    assert (export.sha256, export.finished_at) == (sha256, finished_at)


def test_one_that_was_killed_says_so(as_grace, grace):
    long_ago = timezone.now() - timedelta(minutes=5)
    export = request_export(make_labelled(), ExportOptions(), by=grace)
    Export.objects.update(began_at=long_ago, beat_at=long_ago)
    assert "Not responding" in as_grace.get(f"{PATH}{export.pk}/").content.decode()


def test_the_list_asks_again_only_while_something_is_being_made(as_grace, grace):
    export = request_export(make_labelled(), ExportOptions(), by=grace)
    assert 'hx-get="?page=1" hx-trigger="every 2s"' in as_grace.get(PATH).content.decode()
    assert 'hx-get="?page=1" hx-trigger="every 2s"' in as_grace.get(PATH, headers=HTMX).content.decode()
    run(export.pk)
    fragment = as_grace.get(PATH, headers=HTMX).content.decode()
    assert "hx-trigger" not in fragment
    assert "<h1>" not in fragment


def test_the_list_shows_how_far_an_export_is_and_why_one_failed(as_grace, grace):
    request_export(make_labelled(), ExportOptions(), by=grace)
    now = timezone.now()
    Export.objects.update(began_at=now - timedelta(seconds=10), beat_at=now, done=20, total=100)
    page = as_grace.get(PATH).content.decode()
    assert 'max="100" value="20"' in page
    assert "2 profiles a second · 40 s left" in page
    Export.objects.update(done=10)
    assert "1 profile a second" in as_grace.get(PATH).content.decode()
    Export.objects.update(finished_at=now, problem="The disk is full <b>.")
    assert "The disk is full &lt;b&gt;." in as_grace.get(PATH).content.decode()


def test_the_page_of_an_export_asks_again_only_while_it_is_being_made(as_grace, grace):
    export, now = request_export(make_labelled(), ExportOptions(), by=grace), timezone.now()
    path = f"{PATH}{export.pk}/"
    assert f'hx-get="{path}?told=Waiting' in as_grace.get(path).content.decode()
    Export.objects.update(began_at=now - timedelta(seconds=10), beat_at=now, done=20, total=100)
    fragment = as_grace.get(path, headers=HTMX).content.decode()
    assert 'hx-trigger="every 2s"' in fragment
    assert 'max="100" value="20"' in fragment
    assert "2 profiles a second · 40 s left" in fragment
    assert "<h1>" not in fragment
    Export.objects.update(began_at=None, beat_at=None)
    run(export.pk)
    assert "hx-trigger" not in as_grace.get(path, headers=HTMX).content.decode()
    assert "hx-trigger" not in as_grace.get(path).content.decode()


def test_the_page_of_an_export_reads_out_each_state_once(as_grace, grace):
    path, region = f"{PATH}{make_export(grace).pk}/", 'role="status" aria-live="polite"'
    news = '<div hx-swap-oob="innerHTML:#progress-told">Ready'
    assert region in as_grace.get(path).content.decode()
    fragment = as_grace.get(path, {"told": "In progress"}, headers=HTMX)
    assert news in fragment.content.decode()
    assert region not in fragment.content.decode()
    announcement = fragment.context["export"].job.announcement
    assert news not in as_grace.get(path, {"told": announcement}, headers=HTMX).content.decode()


@pytest.mark.parametrize("count", [1, 12])
def test_query_count_does_not_grow_with_exports(as_grace, grace, django_assert_max_num_queries, count):
    corpus = make_labelled()
    for _ in range(count):
        Export.objects.create(corpus=corpus, format="native", options=ExportOptions().to_json(), asked_by=grace)
    with django_assert_max_num_queries(10):
        assert as_grace.get(PATH).status_code == 200


def test_refuses_other_methods(as_grace, grace):
    export = make_export(grace)
    assert as_grace.delete(PATH).status_code == 405
    for path in (f"{PATH}{export.pk}/", f"{PATH}{export.pk}/file/", f"{PATH}{export.pk}/manifest/"):
        assert as_grace.post(path).status_code == 405


def test_a_form_from_elsewhere_is_refused(grace):
    client = Client(enforce_csrf_checks=True)
    client.force_login(grace)
    assert client.post(PATH, export_form(make_labelled())).status_code == 403
    assert not Export.objects.exists()
