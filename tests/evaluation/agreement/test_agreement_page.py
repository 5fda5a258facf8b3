"""The agreement page: who may see it, what it shows, and how it gets new figures."""

import csv
import io
import json
import re
from datetime import timedelta
from html import unescape
from unittest.mock import Mock
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from evaluation.agreement import reports, tasks
from evaluation.agreement.downloads import PENDING, RETRY_AFTER
from evaluation.agreement.reports import make_report
from evaluation.agreement.scopes import Scope
from evaluation.models import AgreementJob, AgreementReport
from evaluation.stats.reasons import short_reason, too_few_profiles
from profiles.jobs.states import State, state_of
from profiles.models.jobs import SILENCE
from tests.evaluation.agreement.studies import make_profiles, make_study, report_of, said_of, submit
from tests.factories import make_annotator, make_batch, make_corpus

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
MIXED = ["male", "female", "male", ""] * 4


@pytest.fixture(autouse=True)
def requested(monkeypatch):
    """What the workers were asked for; nobody works on it."""
    calls = []
    monkeypatch.setattr(tasks.refresh_agreement, "delay", lambda *ids: calls.append(ids))
    return calls


@pytest.fixture
def as_rosalind(client: Client, rosalind) -> Client:
    client.force_login(rosalind)
    return client


def study():
    return make_study([said_of("sex", MIXED), said_of("sex", [*MIXED[1:], "male"]), said_of("sex", MIXED)])


def page_of(batch) -> str:
    return f"/batches/{batch.pk}/agreement/"


# ── Who may see it ────────────────────────────────────────────────────────────
def test_is_not_there_for_evaluators(as_ada):
    batch = study()
    assert as_ada.get(page_of(batch)).status_code == 404
    assert as_ada.get(f"/corpora/{batch.corpus_id}/agreement/").status_code == 404
    assert as_ada.get(f"{page_of(batch)}?format=json").status_code == 404


def test_asks_strangers_to_sign_in(client):
    assert client.get(page_of(study())).status_code == 302


def test_is_not_there_for_what_does_not_exist(as_grace):
    assert as_grace.get("/batches/999999/agreement/").status_code == 404
    assert as_grace.get("/corpora/999999/agreement/").status_code == 404


def test_refuses_to_be_posted_to(as_grace):
    assert as_grace.post(page_of(study())).status_code == 405


# ── What it shows ─────────────────────────────────────────────────────────────
def test_shows_figures_with_intervals_and_signature(as_rosalind):
    batch = study()
    report = report_of(batch)
    text = as_rosalind.get(page_of(batch)).content.decode()
    assert report.signature in text.replace("&#x27;", "'")
    assert "All attributes" in text
    assert "Location: state or region" in text
    assert "Too few: none of the 10 profiles" in text
    assert "hx-trigger" not in text


def test_starts_with_a_summary_and_folds_the_details(as_rosalind):
    batch = study()
    report_of(batch)
    text = as_rosalind.get(page_of(batch)).content.decode()
    summary = text.split('id="summary"')[1].split('id="details"')[0]
    assert all(f'href="#{key}"' in summary for key in ("presence", "value", "hardness"))
    assert "Sex needs work" in summary
    assert text.count('<details class="card folded">') == 6


def test_shows_a_whole_corpus_too(as_rosalind):
    batch = study()
    make_report(Scope(batch.corpus))
    text = as_rosalind.get(f"/corpora/{batch.corpus_id}/agreement/").content.decode()
    assert f"scope:corpus-{batch.corpus_id}|" in text


def test_names_people_to_admins_and_their_codes_to_researchers(client, grace, rosalind):
    batch = study()
    person = batch.assignments.first().annotator
    report_of(batch)
    for who, shown, hidden in ((grace, person.display_name, person.code), (rosalind, person.code, person.display_name)):
        client.force_login(who)
        text = client.get(page_of(batch)).content.decode()
        assert shown in text
        assert hidden not in text


def test_hostile_names_are_only_text(as_grace):
    batch = make_study([said_of("sex", MIXED)] * 2, corpus=make_corpus("<script>alert(1)</script>"))
    person = batch.assignments.first().annotator
    person.display_name = "<img src=x onerror=alert(2)>"
    person.save(update_fields=["display_name"])
    report_of(batch)
    text = as_grace.get(page_of(batch)).content.decode()
    assert "<script>alert(1)" not in text
    assert "<img src=x" not in text
    assert "&lt;img src=x" in text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"overlap": 2}, "Nothing has been submitted yet"),
        ({"overlap": 1}, "One person per profile"),
        ({"is_practice": True}, "Practice doesn’t count"),
    ],
)
def test_says_what_to_do_where_there_is_nothing(as_grace, requested, fields, message):
    assert message in as_grace.get(page_of(make_batch(**fields))).content.decode()
    assert requested == []


def test_says_when_no_two_people_met(as_grace):
    batch = make_batch(overlap=2)
    submit(batch, make_annotator(), make_profiles(batch.corpus, 12), [{}] * 12)
    report_of(batch)
    assert "No profile has been judged by two people yet" in as_grace.get(page_of(batch)).content.decode()


def test_says_too_few_instead_of_a_number_from_three_pairs(as_grace):
    batch = make_study([said_of("sex", ["male", "female", "male"])] * 2)
    report = report_of(batch)
    text = as_grace.get(page_of(batch)).content.decode()
    assert "Too few: only 3 of the 10 profiles that are needed" in text
    assert "Not enough data yet" in text
    figures = [figure for figure in report.contents["figures"] if figure["attribute"] == "sex"]
    assert figures
    assert [figure for figure in figures if figure["value"] is not None] == []
    assert re.search(r"100(\.0+)?\s*%|\b1\.00\b", strip_tags(unescape(text))) is None


# ── New figures ───────────────────────────────────────────────────────────────
def test_asks_for_figures_once_when_there_are_none(as_grace, requested, django_capture_on_commit_callbacks):
    batch = study()
    with django_capture_on_commit_callbacks(execute=True):
        text = as_grace.get(page_of(batch)).content.decode()
        as_grace.get(page_of(batch))
    assert "for the first time" in text
    assert 'hx-trigger="every 2s"' in text
    assert requested == [(batch.corpus_id, batch.pk)]


def test_says_how_much_was_submitted_since(as_grace, requested, django_capture_on_commit_callbacks):
    batch = study()
    report_of(batch)
    submit(batch, make_annotator(), make_profiles(batch.corpus, 2), [{}, {}])
    with django_capture_on_commit_callbacks(execute=True):
        text = as_grace.get(page_of(batch)).content.decode()
    assert "2 profiles submitted since" in text
    assert len(requested) == 1


def test_a_removed_account_makes_new_figures_necessary(as_grace):
    batch = study()
    report_of(batch)
    slot = batch.assignments.first()
    slot.judgements.all().delete()
    slot.delete()
    assert "Something has changed since" in as_grace.get(page_of(batch)).content.decode()


def test_asks_nobody_while_the_figures_stand(as_grace, requested, django_capture_on_commit_callbacks):
    batch = study()
    report_of(batch)
    with django_capture_on_commit_callbacks(execute=True):
        as_grace.get(page_of(batch))
    assert requested == []


def test_the_page_waits_and_is_loaded_anew_when_figures_are_there(as_grace):
    batch = study()
    waiting = as_grace.get(f"{page_of(batch)}?shown=", headers=HTMX)
    assert 'hx-trigger="every 2s"' in waiting.content.decode()
    assert "<main" not in waiting.content.decode()
    report = report_of(batch)
    assert as_grace.get(f"{page_of(batch)}?shown=", headers=HTMX)["HX-Refresh"] == "true"
    rest = as_grace.get(f"{page_of(batch)}?shown={report.pk}", headers=HTMX)
    assert "hx-trigger" not in rest.content.decode()


def test_the_task_makes_a_report_and_lets_others_ask_again():
    batch = study()
    scope = Scope(batch.corpus, batch)
    cache.set(scope.cache_key, True)
    tasks.refresh_agreement(batch.corpus_id, batch.pk)
    assert AgreementReport.objects.get().batch == batch
    assert cache.get(scope.cache_key) is None


def job_of(batch, **columns) -> AgreementJob:
    """A job that another worker holds."""
    now = timezone.now()
    return AgreementJob.objects.create(corpus=batch.corpus, batch=batch, **{"began_at": now, "beat_at": now} | columns)


def test_no_two_workers_make_one_report():
    batch = study()
    job = job_of(batch)
    assert make_report(Scope(batch.corpus, batch)) is None
    assert AgreementReport.objects.count() == 0
    job.delete()
    assert make_report(Scope(batch.corpus, batch)) is not None


def test_another_worker_takes_over_from_one_that_was_killed():
    batch = study()
    job_of(batch, beat_at=timezone.now() - 2 * SILENCE)
    assert make_report(Scope(batch.corpus, batch)) is not None


def test_every_report_of_a_scope_uses_one_job():
    batch = study()
    scopes = [Scope(batch.corpus), Scope(batch.corpus, batch)] * 2
    assert all(make_report(scope) for scope in scopes)
    assert AgreementJob.objects.count() == 2
    assert {state_of(job) for job in AgreementJob.objects.all()} == {State.FINISHED}


def test_a_report_that_failed_says_so_and_is_not_asked_for_at_once(as_grace, monkeypatch):
    batch = study()
    scope = Scope(batch.corpus, batch)
    cache.set(scope.cache_key, True)
    monkeypatch.setattr(reports, "report_contents", Mock(side_effect=MemoryError("too much")))
    with pytest.raises(MemoryError):
        tasks.refresh_agreement(batch.corpus_id, batch.pk)
    assert cache.get(scope.cache_key)
    assert reports.BROKE in as_grace.get(page_of(batch)).content.decode()


def test_the_page_shows_how_far_it_is(as_grace):
    batch = study()
    job_of(batch, done=3, total=8)
    assert "3 of 8 attributes" in as_grace.get(page_of(batch)).content.decode()


# ── Files ─────────────────────────────────────────────────────────────────────
def csv_rows(response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def test_gives_everything_as_json(as_rosalind):
    batch = study()
    report_of(batch)
    response = as_rosalind.get(f"{page_of(batch)}?format=json")
    assert response["Content-Disposition"].startswith(f'attachment; filename="agreement-batch-{batch.pk}-')
    figures = json.loads(response.content)
    assert (figures["format"], figures["profiles"], figures["people"]) == (1, 16, 3)
    assert (figures["is_current"], figures["submitted_since"]) == (True, 0)
    assert all(figure["signature"].startswith("metric:") for figure in figures["figures"])
    assert len(figures["pairs"]["presence"]) == 3


def test_gives_the_figures_as_csv(as_rosalind):
    batch = study()
    report = report_of(batch)
    rows = csv_rows(as_rosalind.get(f"{page_of(batch)}?format=csv"))
    assert len(rows) == len(report.contents["figures"])
    assert {row["attribute"] for row in rows} >= {"overall", "sex", "place_of_birth"}
    assert {row["is_current"] for row in rows} == {"True"}


@pytest.mark.parametrize("file_format", ["json", "csv"])
@pytest.mark.parametrize("has_report", [False, True])
def test_outdated_figures_are_computed_and_never_given(
    as_rosalind, requested, django_capture_on_commit_callbacks, file_format, has_report
):
    batch = study()
    if has_report:
        report_of(batch)
        submit(batch, make_annotator(), make_profiles(batch.corpus, 1), [{}])
    with django_capture_on_commit_callbacks(execute=True):
        response = as_rosalind.get(f"{page_of(batch)}?format={file_format}")
    assert (response.status_code, response["Retry-After"]) == (202, str(RETRY_AFTER))
    assert PENDING in (response.json()["message"] if file_format == "json" else response.content.decode())
    assert b"alpha" not in response.content
    assert requested == [(batch.corpus_id, batch.pk)]
    report_of(batch)
    assert as_rosalind.get(f"{page_of(batch)}?format={file_format}").status_code == 200


def test_what_is_submitted_while_a_script_waits_does_not_make_it_wait_for_ever(as_rosalind):
    """The address to ask again gives the figures of that moment, and says that they are not the newest."""
    batch = study()
    waiting = as_rosalind.get(f"{page_of(batch)}?format=json")
    assert waiting["Location"] == waiting.json()["retry_url"]
    report = report_of(batch)
    submit(batch, make_annotator(), make_profiles(batch.corpus, 2), [{}] * 2)
    assert waiting["Location"].startswith(f"{page_of(batch)}?format=json&asked_at=2")
    for seconds, status in ((0, 202), (2, 200)):
        query = urlencode({"format": "json", "asked_at": (report.began_at - timedelta(seconds=seconds)).isoformat()})
        response = as_rosalind.get(f"{page_of(batch)}?{query}")
        assert response.status_code == status
    assert (response.json()["is_current"], response.json()["submitted_since"]) == (False, 2)


def test_the_page_offers_the_figures_that_it_shows(as_rosalind, requested):
    batch = study()
    report = report_of(batch)
    submit(batch, make_annotator(), make_profiles(batch.corpus, 1), [{}])
    assert f"?format=csv&amp;report={report.pk}" in as_rosalind.get(page_of(batch)).content.decode()
    figures = as_rosalind.get(f"{page_of(batch)}?format=json&report={report.pk}").json()
    assert (figures["signature"], figures["is_current"], figures["submitted_since"]) == (report.signature, False, 1)
    rows = csv_rows(as_rosalind.get(f"{page_of(batch)}?format=csv&report={report.pk}"))
    assert {row["is_current"] for row in rows} == {"False"}


def test_another_scope_s_report_cannot_be_asked_for(as_rosalind):
    batch, other = study(), study()
    report_of(batch)
    assert as_rosalind.get(f"{page_of(batch)}?format=json&report={report_of(other).pk}").status_code == 404


def test_page_csv_and_json_give_the_same_reason(as_rosalind):
    """Nobody gave an age: the interval alpha of all attributes rests on too few profiles, and that is no agreement."""
    batch = study()
    report_of(batch)
    figures = as_rosalind.get(f"{page_of(batch)}?format=json").json()["figures"]
    reasons = {(f["attribute"], f["aspect"], f["measure"]): f["reason"] for f in figures}
    assert reasons["overall", "value", "alpha-interval"] == too_few_profiles(0)
    rows = csv_rows(as_rosalind.get(f"{page_of(batch)}?format=csv"))
    assert {(row["attribute"], row["aspect"], row["measure"]): row["reason"] for row in rows} == reasons
    page = unescape(as_rosalind.get(page_of(batch)).content.decode())
    cells = re.findall(r'<td class="num faint" title="([^"]+)">([^<]+)</td>', page)
    assert (too_few_profiles(0), short_reason(too_few_profiles(0))) in cells
    assert all(shown == short_reason(reason) for reason, shown in cells)


@pytest.mark.parametrize(
    "query",
    [
        "format=xlsx", "format=", "format=json", "format=json&report=1", "format=json&report=x",
        f"format=csv&report={'9' * 5000}", "format=json&asked_at=soon",
        "format=json&asked_at=9999-12-31T23:59:59-23:00", "format=json&asked_at=0001-01-01T00:00:00%2B23:00",
    ],
)  # fmt: skip
def test_has_no_file_that_does_not_exist(as_rosalind, query):
    assert as_rosalind.get(f"{page_of(make_batch())}?{query}").status_code == 404


@pytest.mark.parametrize("people", [2, 5])
def test_query_count_does_not_grow(client, grace, django_assert_max_num_queries, people):
    batch = make_study([said_of("sex", MIXED)] * people)
    report_of(batch)
    client.force_login(grace)
    with django_assert_max_num_queries(7):
        client.get(page_of(batch))
