"""The audit log and its page."""

import pytest
from django.db import ProgrammingError, connection, transaction

from annotator.audit import record
from annotator.models import AuditEntry
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db
PATH = "/audit/"
Action = AuditEntry.Action


def test_shows_the_newest_first(as_grace, grace, ada):
    record(Action.SIGNED_IN, actor=ada, methods=["password", "totp"])
    record(Action.ROLES_CHANGED, actor=grace, subject=ada, before=[], after=["admin"])
    page = as_grace.get(PATH).content.decode()
    assert "methods: password + totp" in page
    assert page.index("changed roles</td>") < page.index("signed in</td>")


def test_filters_by_what_was_done(as_grace, ada):
    record(Action.SIGNED_IN, actor=ada)
    record(Action.SIGNED_OUT, actor=ada)
    page = as_grace.get(PATH, {"action": "signed_out"}).content.decode()
    assert "<td>signed out</td>" in page
    assert "<td>signed in</td>" not in page


def test_filters_by_who_did_it_or_whom_it_was_about(as_grace, grace, ada):
    dorothy = make_annotator("dorothy")
    record(Action.SIGNED_IN, actor=ada)
    record(Action.DEACTIVATED, actor=grace, subject=ada)
    record(Action.SIGNED_OUT, actor=dorothy)
    page = as_grace.get(PATH, {"person": ada.pk}).content.decode()
    assert "<td>signed in</td>" in page
    assert "<td>deactivated somebody</td>" in page
    assert "<td>signed out</td>" not in page


@pytest.mark.parametrize(
    "odd",
    [
        {"action": "nonsense"},
        {"person": "x"},
        {"person": "9" * 30},
        {"person": "\x00"},
        {"page": "\x00"},
        {"page": "-7"},
    ],
)
def test_a_filter_that_makes_no_sense_is_told_and_left_out(as_grace, ada, odd):
    record(Action.SIGNED_IN, actor=ada)
    response = as_grace.get(PATH, odd)
    assert response.status_code == 200
    assert "<td>signed in</td>" in response.content.decode()


def test_pages_keep_the_filter(as_grace, ada):
    for _ in range(51):
        record(Action.SIGNED_IN, actor=ada)
    page = as_grace.get(PATH, {"person": ada.pk, "action": ""}).content.decode()
    assert "1 to 50 of 51" in page
    assert f'href="?person={ada.pk}&amp;action=&amp;page=2"' in page
    second = as_grace.get(PATH, {"person": ada.pk, "page": 2}).content.decode()
    assert "51 to 51 of 51" in second


def test_says_so_when_there_is_nothing(as_grace):
    assert "Nothing was recorded" in as_grace.get(PATH).content.decode()


@pytest.mark.parametrize("n_entries", [1, 49])
def test_the_number_of_queries_does_not_grow(as_grace, n_entries, django_assert_num_queries):
    for _ in range(n_entries):
        record(Action.DEACTIVATED, actor=make_annotator(), subject=make_annotator())
    as_grace.get(PATH)
    with django_assert_num_queries(4):  # the admin, the count, the page, the people to choose from
        as_grace.get(PATH)


def test_is_for_admins(client, as_ada, rosalind):
    assert as_ada.get(PATH).status_code == 404
    as_ada.force_login(rosalind)
    assert as_ada.get(PATH).status_code == 404
    as_ada.logout()
    assert as_ada.get(PATH)["Location"] == "/account/login/?next=/audit/"


def test_can_only_be_read(as_grace):
    assert as_grace.post(PATH).status_code == 405
    assert as_grace.delete(PATH).status_code == 405


@pytest.mark.parametrize("write", ["UPDATE annotator_auditentry SET action = 'x'", "DELETE FROM annotator_auditentry"])
def test_postgres_refuses_to_change_what_was_written(ada, write):
    record(Action.SIGNED_IN, actor=ada)
    with (
        pytest.raises(ProgrammingError, match="Cannot update or delete"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(write)
    assert AuditEntry.objects.get().action == "signed_in"


def test_through_the_models_neither(ada):
    record(Action.SIGNED_IN, actor=ada)
    with pytest.raises(ProgrammingError), transaction.atomic():
        AuditEntry.objects.get().delete()
    with pytest.raises(ProgrammingError), transaction.atomic():
        AuditEntry.objects.update(address="10.0.0.1")
