"""The report of a run: the page, its errors and documents, and the files."""

import json

import pytest

from annotator.models import AuditEntry
from evaluation.models import ErrorMark
from evaluation.spans.views import reports
from tests.evaluation.runs.records import make_finished_run, make_reported_run, make_run
from tests.evaluation.spans.measured import make_measured_run

HTMX = {"HX-Request": "true"}
EMPTY_EVIDENCE = {"is_empty": True, "left_out": (), "bootstrap": 1, "min_profiles": 1, "signature": "x"}


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


@pytest.fixture
def run(db, settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"
    run = make_measured_run(tmp_path, name="<i>a</i> on TAB")
    assert run.problem == ""
    return run


def test_the_report_shows_numbers_errors_and_signature(as_rosalind, run):
    page = as_rosalind.get(f"/evaluations/{run.pk}/").content.decode()
    titles = [
        "Macro F1",
        "Read with care",
        "By type",
        "every definition",
        "Threshold sweep",
        "SemEval",
        "As the ECHR study",
    ]
    titles += [
        "Text Anonymization Benchmark",
        "Tokens",
        "Leakage",
        "Levels of labels",
        "Annotators",
        "Confusion",
        "Missed",
    ]
    assert [text for text in [*titles, "Most frequent errors", run.signature] if text not in page] == []


@pytest.mark.parametrize("path", ["", "documents/1/", "report.html", "?errors=spurious"])
def test_hostile_texts_labels_and_names_are_escaped(as_rosalind, run, path):
    page = as_rosalind.get(f"/evaluations/{run.pk}/{path}").content.decode()
    assert [text for text in ("<script>.", "<img>", "<b>2", "<i>a") if text in page] == []


def test_evidence_in_a_report_stands_before_the_types(as_rosalind, monkeypatch):
    monkeypatch.setattr(reports, "present_evidence", lambda contents: EMPTY_EVIDENCE)
    run = make_reported_run(report_part={"evidence": {"spans": 1}})
    page = as_rosalind.get(f"/evaluations/{run.pk}/").content.decode()
    assert 0 < page.index("No evidence to score") < page.index("By type")


def test_a_live_run_polls_and_an_ended_one_reloads_the_page(as_rosalind, run):
    live = make_run()
    assert b"hx-get" in as_rosalind.get(f"/evaluations/{live.pk}/", headers=HTMX).content
    assert as_rosalind.get(f"/evaluations/{run.pk}/", headers=HTMX).headers["HX-Refresh"] == "true"


def test_errors_by_kind_come_alone_for_htmx(as_rosalind, run):
    path, asks = f"/evaluations/{run.pk}/?errors=spurious", HTMX | {"HX-Target": "errors"}
    fragment = as_rosalind.get(path, headers=asks).content.decode()
    assert 'aria-current="page">False alarms' in fragment
    assert "<html" not in fragment
    assert 'aria-current="page">False alarms' in as_rosalind.get(path).content.decode()


def test_somebody_looks_at_an_error_and_takes_it_back(as_rosalind, rosalind, run):
    item = run.errors.order_by("number").first()
    path = f"/evaluations/{run.pk}/errors/{item.number}/mark/"
    assert b'aria-pressed="true"' in as_rosalind.post(path, {"is_marked": "yes"}, headers=HTMX).content
    assert ErrorMark.objects.get().marked_by == rosalind
    assert as_rosalind.post(path, {"is_marked": "yes"}).status_code == 302
    assert ErrorMark.objects.count() == 1
    assert b'aria-pressed="false"' in as_rosalind.post(path, {"is_marked": ""}, headers=HTMX).content
    assert not ErrorMark.objects.exists()


def test_an_error_of_another_run_is_not_found(as_rosalind, run):
    other = make_finished_run()
    assert as_rosalind.post(f"/evaluations/{other.pk}/errors/1/mark/").status_code == 404
    assert as_rosalind.get(f"/evaluations/{other.pk}/documents/1/").status_code == 404


def test_a_document_shows_what_was_missed(as_rosalind, run):
    page = as_rosalind.get(f"/evaluations/{run.pk}/documents/1/?annotator=b&system=nobody").content.decode()
    assert 'id="at-0" class="mark-both" title="gold: PERSON, predicted: PERSON">Anna' in page
    assert 'class="mark-gold" title="gold: PERSON"> Nowak' in page
    assert 'class="mark-differs" title="gold: LOC, predicted: DATETIME">Berlin' in page
    assert 'class="mark-predicted"' in page


def test_the_json_is_the_report_and_the_lines_are_the_errors(as_rosalind, run):
    assert as_rosalind.get(f"/evaluations/{run.pk}/report.json").json()["signature"] == run.signature
    lines = b"".join(as_rosalind.get(f"/evaluations/{run.pk}/errors.jsonl").streaming_content).decode().splitlines()
    assert [json.loads(line) for line in lines] == [item.contents for item in run.errors.order_by("number")]
    assert AuditEntry.objects.filter(action=AuditEntry.Action.EVALUATION_FETCHED).count() == 2


def test_a_run_without_a_report_has_no_files(as_rosalind):
    run = make_finished_run(report={})
    for name in ("report.json", "report.html", "errors.jsonl"):
        assert as_rosalind.get(f"/evaluations/{run.pk}/{name}").status_code == 404


@pytest.mark.parametrize("path", ["", "documents/1/", "report.json", "report.html", "errors.jsonl", "errors/1/mark/"])
def test_evaluators_find_nothing(as_ada, run, path):
    assert as_ada.get(f"/evaluations/{run.pk}/{path}").status_code == 404
    assert as_ada.post(f"/evaluations/{run.pk}/{path}").status_code == 404


def test_wrong_methods(as_rosalind, run):
    assert as_rosalind.get(f"/evaluations/{run.pk}/errors/1/mark/").status_code == 405
    for path in ("", "documents/1/", "report.json"):
        assert as_rosalind.post(f"/evaluations/{run.pk}/{path}").status_code == 405


def test_the_number_of_queries_is_fixed(as_rosalind, run, django_assert_num_queries):
    with django_assert_num_queries(5):  # person, run, kinds, count, errors
        as_rosalind.get(f"/evaluations/{run.pk}/?errors=missed")
