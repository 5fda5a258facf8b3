"""The page for removing an account."""

import pytest
from django.test import Client

from annotator.models import AuditEntry
from annotator.privacy.services import forget_account
from annotator.privacy.takedowns import Reason, RemovedRows
from profiles.models import ForgottenAccount, Profile
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.privacy.forgotten_account import NAME, make_account

pytestmark = pytest.mark.django_db
PATH, CHECK, FORGET = "/privacy/", "/privacy/check/", "/privacy/forget/"
TAKEDOWN = {"account": f" u/{NAME} ", "reason": "person"}
HOSTILE = [
    {}, {"account": NAME}, {"reason": "person"},
    *(TAKEDOWN | {"account": account} for account in (
        " ", "[deleted]", "a\x00b", "x" * 41, "x" * 100_000, "<script>alert(1)</script>", "' OR 1=1 --",
    )),
    TAKEDOWN | {"reason": "fun"}, TAKEDOWN | {"reason": "\x00"},
]  # fmt: skip


def test_shows_how_much_would_be_removed_and_removes_nothing(as_grace):
    make_account(comments=3)
    response = as_grace.post(CHECK, TAKEDOWN)
    page = response.content.decode()
    assert f"Remove u/{NAME}?" in page
    assert [page.split(f"<dt>{kind}</dt>")[1].split("<dd>")[1][0] for kind in ("Comments", "Gold records")] == [
        "3",
        "1",
    ]
    assert Reason.PERSON.label in page
    assert "no-store" in response["Cache-Control"]
    assert Profile.objects.exists()
    assert not ForgottenAccount.objects.exists()
    assert actions() == []


def test_removes_it_and_shows_what_was_removed(as_grace, grace):
    make_account(comments=3)
    response = as_grace.post(FORGET, TAKEDOWN, follow=True)
    assert response.redirect_chain == [(PATH, 302)]
    page = response.content.decode()
    assert RemovedRows(1, 3, 3, 1, 1, 1, 1).summary in page
    assert "<td>Grace</td>" in page
    assert f"<td>{Reason.PERSON.label}</td>" in page
    assert not Profile.objects.exists()
    assert entry("account_forgotten").actor == grace


def test_a_second_submit_changes_nothing_and_says_so(as_grace):
    make_account()
    as_grace.post(FORGET, TAKEDOWN)
    assert as_grace.post(CHECK, TAKEDOWN).context["removable"] == RemovedRows(forgotten_before=True)
    assert as_grace.post(FORGET, TAKEDOWN, follow=True).redirect_chain == [(PATH, 302)]
    assert actions() == ["account_forgotten"]


def test_an_account_in_no_corpus_can_be_recorded(as_grace):
    assert as_grace.post(CHECK, TAKEDOWN).context["removable"] == RemovedRows()
    as_grace.post(FORGET, TAKEDOWN)
    assert ForgottenAccount.objects.count() == 1


@pytest.mark.parametrize("path", [CHECK, FORGET])
@pytest.mark.parametrize("typed", HOSTILE, ids=lambda typed: repr(typed)[:40])
def test_refuses_what_makes_no_sense(as_grace, path, typed):
    make_account()
    response = as_grace.post(path, typed)
    assert response.status_code == 422
    assert "<script>alert" not in response.content.decode()
    assert Profile.objects.exists()
    assert not ForgottenAccount.objects.exists()


def errors(client, fields):
    response = client.post(CHECK, fields)
    assert all(str(error) in response.content.decode() for error in response.context["form"].errors.values())
    return response.context["form"].errors


def test_names_the_field_that_is_wrong(as_grace):
    assert list(errors(as_grace, TAKEDOWN | {"account": "[deleted]"})) == ["account"]
    assert list(errors(as_grace, {"account": NAME})) == ["reason"]


@pytest.mark.parametrize(("path", "method"), [(PATH, "get"), (CHECK, "post"), (FORGET, "post")])
def test_is_for_admins_only(path, method, ada, rosalind):
    make_account()
    client = Client()
    assert getattr(client, method)(path, TAKEDOWN)["Location"].startswith("/account/login/")
    for annotator in (ada, rosalind):
        client.force_login(annotator)
        assert getattr(client, method)(path, TAKEDOWN).status_code == 404
        assert "Privacy" not in client.get("/").content.decode()
    assert Profile.objects.exists()
    assert not ForgottenAccount.objects.exists()


def test_changes_need_a_post_and_the_page_does_not_take_one(as_grace):
    assert as_grace.get(CHECK, TAKEDOWN).status_code == 405
    assert as_grace.get(FORGET, TAKEDOWN).status_code == 405
    assert as_grace.post(PATH, TAKEDOWN).status_code == 405
    assert not ForgottenAccount.objects.exists()


def test_a_form_from_elsewhere_is_refused(grace):
    client = Client(enforce_csrf_checks=True)
    client.force_login(grace)
    assert client.post(FORGET, TAKEDOWN).status_code == 403
    assert not ForgottenAccount.objects.exists()


def test_stands_in_the_navigation_after_people(as_grace):
    page = as_grace.get(PATH).content.decode()
    assert page.index('href="/people/"') < page.index('href="/privacy/"') < page.index('href="/audit/"')


def test_lists_takedowns_newest_first_with_pages(as_grace, grace):
    for number in range(51):
        forget_account(f"account_{number}", reason=Reason.REDDIT, by=grace)
    make_account()
    forget_account(NAME)
    page = as_grace.get(PATH).content.decode()
    assert page.index("command line") < page.index("<td>Grace</td>")
    assert "<td>1 profile, 2 comments" in page
    assert "<td>nothing, because it was in no corpus</td>" in page
    assert "1 to 50 of 52" in page
    assert "51 to 52 of 52" in as_grace.get(PATH, {"page": 2}).content.decode()


@pytest.mark.parametrize("page", ["x", "-1", "0", "9" * 30, "\x00"])
def test_an_odd_page_number_shows_some_page(as_grace, page):
    assert as_grace.get(PATH, {"page": page}).status_code == 200


@pytest.mark.parametrize("takedowns", [1, 40])
def test_query_count_does_not_grow(as_grace, grace, django_assert_num_queries, takedowns):
    for number in range(takedowns):
        forget_account(f"account_{number}", by=grace)
    as_grace.get(PATH)
    with django_assert_num_queries(3):  # the admin, the count, the page
        as_grace.get(PATH)


@pytest.mark.parametrize("comments", [1, 60])
def test_checking_takes_as_many_queries_for_much_as_for_little(as_grace, django_assert_num_queries, comments):
    make_account(comments=comments)
    as_grace.get(PATH)
    with django_assert_num_queries(10):  # the admin, the profiles, seven counts, the record
        as_grace.post(CHECK, TAKEDOWN)


def test_the_name_stays_in_no_log_no_page_and_no_table(as_grace, caplog):
    make_account()
    with caplog.at_level("DEBUG"):
        as_grace.post(CHECK, TAKEDOWN)
        confirmation = as_grace.post(FORGET, TAKEDOWN, follow=True).content.decode()
    shown = confirmation + as_grace.get(PATH).content.decode() + as_grace.get("/audit/").content.decode()
    kept = str(list(AuditEntry.objects.values())) + str(list(ForgottenAccount.objects.values()))
    assert AuditEntry.Action.ACCOUNT_FORGOTTEN.label in shown
    assert "tinroof" not in (shown + kept + caplog.text).lower()
