"""The subreddit list as a CSV file: export, import and replacement."""

import threading
from contextlib import suppress

import pytest
from django.db import connection

from annotator.corpora.services import hints as services
from annotator.corpora.services.hints import HintChanges
from annotator.corpora.views.hint_files import FIX_ROWS_FIRST, UPLOAD_EXPIRED
from annotator.models import Role
from profiles.hints import store
from profiles.hints.rules import check_hint
from profiles.hints.store import SHIPPED_FILE, load_hints
from profiles.models import AttributeHint
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.corpora.hint_lists import HEAD, hint_rows, make_hint, messages_of, text_of, upload
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


# ── Export ──────────────────────────────────────────────────────────────────


def exported(client) -> bytes:
    response = client.get("/subreddits/export/")
    assert response.streaming
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert 'filename="subreddit-hints.csv"' in response["Content-Disposition"]
    return b"".join(response.streaming_content)


def test_exports_the_shipped_list_byte_for_byte(as_grace):
    load_hints()
    assert exported(as_grace) == SHIPPED_FILE.read_bytes()


def test_exports_nothing_a_spreadsheet_would_run_and_takes_it_back(as_grace):
    make_hint(attribute="occupation", value="=1+1", reason="@SUM(A1)")
    make_hint(attribute="occupation", value="'-2", reason="'")
    before, file = hint_rows(), exported(as_grace)
    assert b"Oslo,occupation,'=1+1,'@SUM(A1)\n" in file
    AttributeHint.objects.all().delete()
    assert upload(as_grace, file).status_code == 302
    assert hint_rows() == before


# ── Import ──────────────────────────────────────────────────────────────────


def test_imports_a_file_and_importing_twice_changes_nothing(as_grace, grace):
    make_hint(reason="an old reason")
    assert as_grace.get("/subreddits/import/").status_code == 200
    file = f"{HEAD}oslo,location,oslo / norway,the city\nBergen,location,bergen / norway,the city\n"
    for changes in (HintChanges(1, 1, 0, 0), HintChanges(0, 0, 0, 2)):
        response = upload(as_grace, file)
        assert response["Location"] == "/subreddits/"
        assert str(changes) in messages_of(as_grace.get("/subreddits/"))
    assert [row[0] for row in hint_rows()] == ["Bergen", "Oslo"]
    assert actions() == ["hints_changed"]
    assert entry("hints_changed").actor == grace
    assert entry("hints_changed").details == {"added": 1, "changed": 1, "removed": 0}


def test_takes_good_rows_and_shows_those_it_set_aside(as_grace):
    response = upload(as_grace, f"{HEAD}Oslo,location,oslo,x\nBergen,age,old,x\nshort\n")
    page = text_of(response)
    assert response.status_code == 200
    assert response.context["imported"] == HintChanges(1, 0, 0, 0)
    assert [(row.line, row.text) for row in response.context["refused"]] == [(3, "Bergen, age, old, x"), (4, "short")]
    assert all(row.reason in page for row in response.context["refused"])
    assert len(hint_rows()) == 1


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (b"", "empty"),
        (b"\xff\xfe\x00", "not UTF-8"),
        ("subreddit;attribute\n", "first line must name the columns"),
        (b"x" * 5_000_001, "larger than 5 MB"),
    ],
)
def test_a_file_that_cannot_be_read_is_explained_and_changes_nothing(as_grace, file, reason):
    make_hint()
    for fields in ({}, {"replace": "on"}):
        response = upload(as_grace, file, **fields)
        assert response.status_code == 422
        assert reason in " ".join(response.context["form"].errors["file"])
    assert (len(hint_rows()), actions()) == (1, [])


def test_an_import_that_fails_leaves_everything_as_it_was(as_grace, monkeypatch):
    make_hint(reason="an old reason")

    def fail(*args, **kwargs):
        raise RuntimeError

    monkeypatch.setattr(services, "record", fail)
    with pytest.raises(RuntimeError):
        upload(as_grace, f"{HEAD}Oslo,location,oslo / norway,new\nBergen,sex,,x\n")
    assert hint_rows() == [("Oslo", "location", "oslo / norway", "an old reason")]


def test_importing_makes_the_same_number_of_queries_for_any_file(as_grace, django_assert_max_num_queries):
    file = HEAD + "".join(f"place{number},sex,male,x\n" for number in range(900))
    with django_assert_max_num_queries(20):
        upload(as_grace, file)
    assert len(hint_rows()) == 900


# ── Replacing ───────────────────────────────────────────────────────────────


def test_replacing_asks_first_and_then_leaves_only_the_file(as_grace, grace):
    make_hint()
    make_hint("Bergen")
    question = upload(as_grace, f"{HEAD}Oslo,location,oslo / norway,the city\ntromso,sex,,x\n", replace="on")
    assert question.status_code == 200
    assert (len(hint_rows()), actions()) == (2, [])
    at = f"/subreddits/import/{question.context['upload']}/"
    assert str(HintChanges(1, 0, 1, 1)) in messages_of(as_grace.post(at, follow=True))
    assert [row[0] for row in hint_rows()] == ["Oslo", "tromso"]
    assert (entry("hints_changed").actor, entry("hints_changed").details["removed"]) == (grace, 1)
    assert UPLOAD_EXPIRED in messages_of(as_grace.post(at, follow=True))


def test_nobody_else_can_answer_the_question(as_grace):
    make_hint()
    question = upload(as_grace, HEAD, replace="on")
    as_grace.force_login(make_annotator("dorothy", roles=[Role.ADMIN]))
    response = as_grace.post(f"/subreddits/import/{question.context['upload']}/", follow=True)
    assert UPLOAD_EXPIRED in messages_of(response)
    assert len(hint_rows()) == 1


def test_does_not_replace_by_a_file_with_bad_rows(as_grace):
    make_hint()
    response = upload(as_grace, f"{HEAD}Bergen,sex,,x\nOslo,location,a / b / c / d,\n", replace="on")
    assert response.status_code == 422
    assert response.context["form"].non_field_errors() == [FIX_ROWS_FIRST]
    assert len(response.context["refused"]) == 1
    assert [row[0] for row in hint_rows()] == ["Oslo"]


@pytest.mark.django_db(transaction=True)
def test_two_imports_at_once_end_as_one_after_the_other(monkeypatch):
    rows = [check_hint(subreddit=f"place{n}", attribute="sex", value="", reason="x") for n in range(50)]
    together, results = threading.Barrier(2), []
    really_compare = store.compare_hints

    def compare_together(rows):
        compared = really_compare(rows)
        with suppress(threading.BrokenBarrierError):
            together.wait(timeout=1)
        return compared

    monkeypatch.setattr(store, "compare_hints", compare_together)

    def bring() -> None:
        try:
            results.append(services.import_hints(rows).added)
        finally:
            connection.close()

    threads = [threading.Thread(target=bring) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(results) == [0, 50]
