"""The list of evaluation runs: cancel, repeat, delete."""

import pytest

from annotator.models import AuditEntry
from evaluation.models import EvaluationInput, EvaluationRun
from evaluation.runs import services
from evaluation.runs.storage import InputFile, path_of
from evaluation.runs.views.runs import DELETED, DELETED_WITHOUT_ANSWERS
from tests.evaluation.runs.records import make_finished_run, make_run, stored_path

HTMX = {"HX-Request": "true"}


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


def test_the_list_shows_numbers_and_signature(as_rosalind):
    make_finished_run(name="<b>TAB</b>")
    page = as_rosalind.get("/evaluations/").content.decode()
    assert "&lt;b&gt;TAB" in page
    assert "0.80" in page
    assert "spans|gold:a@1" in page


def test_the_list_polls_while_a_run_is_live(as_rosalind):
    make_finished_run()
    assert b"hx-get" not in as_rosalind.get("/evaluations/", headers=HTMX).content
    make_run()
    fragment = as_rosalind.get("/evaluations/", headers=HTMX).content
    assert b"hx-get" in fragment
    assert b"<html" not in fragment


@pytest.mark.parametrize("runs", [1, 12])
def test_the_number_of_queries_does_not_grow_with_runs(as_rosalind, django_assert_num_queries, runs):
    for _ in range(runs):
        make_finished_run(report={"results": []})
    with django_assert_num_queries(3):  # person, count, rows
        as_rosalind.get("/evaluations/")


@pytest.mark.parametrize("path", ["", "again/", "cancel/", "delete/"])
def test_evaluators_find_nothing(as_ada, path):
    run = make_finished_run()
    assert as_ada.get("/evaluations/").status_code == 404
    assert as_ada.get(f"/evaluations/{run.pk}/{path}").status_code == 404
    assert as_ada.post(f"/evaluations/{run.pk}/{path}").status_code == 404


@pytest.mark.parametrize("path", ["again/", "cancel/"])
def test_changes_need_a_post(as_rosalind, path):
    assert as_rosalind.get(f"/evaluations/{make_finished_run().pk}/{path}").status_code == 405


def test_a_live_run_is_cancelled_and_a_finished_one_is_not(as_rosalind):
    live, ended = make_run(), make_finished_run()
    for run in (live, ended):
        assert as_rosalind.post(f"/evaluations/{run.pk}/cancel/").status_code == 302
        run.refresh_from_db()
    assert live.cancelled_at
    assert not ended.cancelled_at


def make_stored_run(tmp_path, **fields):
    gold = tmp_path / "gold.json"
    gold.write_text("[]")
    run = make_run(**fields)
    services.store_files(run, [InputFile(EvaluationInput.Role.GOLD, gold, "../../gold.json")])
    return run


def test_a_repeated_run_has_its_own_copy_of_the_files(as_rosalind, rosalind, tmp_path):
    run = make_stored_run(tmp_path)
    response = as_rosalind.post(f"/evaluations/{run.pk}/again/")
    again = EvaluationRun.objects.latest("pk")
    assert response.url == f"/evaluations/{again.pk}/"
    assert (again.name, again.asked_by) == (run.name, rosalind)
    assert path_of(again.files.get()).read_text() == "[]"
    assert path_of(again.files.get()).parent.stat().st_mode & 0o077 == 0


def test_a_run_without_its_files_cannot_be_repeated(as_rosalind, tmp_path):
    run = make_stored_run(tmp_path)
    path_of(run.files.get()).unlink()
    as_rosalind.post(f"/evaluations/{run.pk}/again/")
    assert EvaluationRun.objects.count() == 1


def test_researchers_delete_nothing(as_rosalind):
    run = make_finished_run()
    assert as_rosalind.post(f"/evaluations/{run.pk}/delete/").status_code == 404
    assert EvaluationRun.objects.exists()


def test_an_admin_deletes_a_run_with_its_files(as_grace, grace, tmp_path, django_capture_on_commit_callbacks):
    run = make_stored_run(tmp_path)
    services.cancel_run(run)
    assert as_grace.get(f"/evaluations/{run.pk}/delete/").status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        as_grace.post(f"/evaluations/{run.pk}/delete/")
    assert not EvaluationRun.objects.exists()
    assert not stored_path(run, "").exists()
    entry = AuditEntry.objects.get(action=AuditEntry.Action.EVALUATION_DELETED)
    assert (entry.actor, entry.details["evaluation"]) == (grace, run.pk)


def test_deleting_says_that_answers_of_models_are_kept(as_grace):
    asking, plain = make_finished_run(settings={"question": {}}), make_finished_run()
    rows = [as_grace.get(f"/evaluations/{run.pk}/delete/").context["run"] for run in (asking, plain)]
    assert [row.keeps_answers for row in rows] == [True, False]
    for run, sentence in ((asking, DELETED_WITHOUT_ANSWERS), (plain, DELETED)):
        response = as_grace.post(f"/evaluations/{run.pk}/delete/", follow=True)
        assert [str(message) for message in response.context["messages"]] == [sentence]


def test_a_live_run_is_not_deleted(as_grace):
    run = make_run()
    as_grace.post(f"/evaluations/{run.pk}/delete/")
    assert EvaluationRun.objects.filter(pk=run.pk).exists()
