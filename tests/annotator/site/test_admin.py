"""The read-only admin: every table, for admins."""

import re

import pytest
from django.apps import apps
from django.urls import get_resolver
from django.utils import timezone

from annotator.models import AuditEntry, GoldRecord, Invitation, Role
from annotator.site.admin import APPS, HIDDEN_TABLES, ReadOnlyAdmin
from profiles.models import AccountName, Comment
from tests.factories import make_annotator, make_assignment, make_judgement, make_profile

# Django's templates ask for variables that are not there.
pytestmark = [pytest.mark.django_db, pytest.mark.ignore_template_errors]
ADMIN = "/tables/"
TABLES = [model._meta for app in APPS for model in apps.get_app_config(app).get_models()]
SHOWN = [table for table in TABLES if table.label_lower not in HIDDEN_TABLES]


def at(row) -> str:
    return f"{ADMIN}{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"


def views() -> list[dict[str, object]]:
    return list(AuditEntry.objects.filter(action="profile_seen").values_list("details", flat=True))


@pytest.fixture
def judgement(ada):
    return make_judgement(make_assignment(annotator=ada, profile=make_profile("I moved to Houston")), "sex", "male")


# ── Who may look ────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", [ADMIN, f"{ADMIN}profiles/", f"{ADMIN}profiles/comment/", f"{ADMIN}jsi18n/"])
def test_is_for_admins(client, ada, rosalind, grace, path):
    assert client.get(path)["Location"] == f"/account/login/?next={path}"
    for person in (ada, rosalind):
        client.force_login(person)
        assert client.get(path).status_code == 404
    client.force_login(grace)
    assert client.get(path).status_code == 200


def test_a_row_is_for_admins(client, ada, judgement):
    client.force_login(ada)
    assert client.get(at(judgement)).status_code == 404
    assert not views()


def test_is_closed_to_an_admin_who_was_deactivated(as_grace, grace):
    grace.is_active = False
    grace.save(update_fields=["is_active"])
    assert as_grace.get(ADMIN)["Location"].startswith("/account/login/")


def test_the_flags_of_djangos_own_admin_open_nothing(client):
    client.force_login(make_annotator("mallory", roles=[Role.EVALUATOR], is_staff=True, is_superuser=True))
    assert client.get(ADMIN).status_code == 404


# ── What is in it ───────────────────────────────────────────────────────────


def test_every_table_can_be_listed(as_grace, judgement):
    for table in SHOWN:
        assert as_grace.get(f"{ADMIN}{table.app_label}/{table.model_name}/").status_code == 200, table.label


def test_names_of_accounts_are_not_in_it(as_grace):
    page = as_grace.get(ADMIN).content.decode().lower()
    assert "accountname" not in page
    assert "sourcerecord" not in page
    assert as_grace.get(f"{ADMIN}profiles/accountname/").status_code == 404
    assert as_grace.get(f"{ADMIN}annotator/sourcerecord/").status_code == 404


def test_no_session_is_in_it(as_grace, grace):
    """Its key is all that a browser needs to be that person."""
    session = grace.sessions.get()
    assert "annotator/session" not in as_grace.get(ADMIN).content.decode()
    for path in ("annotator/session/", f"annotator/session/{session.pk}/change/"):
        assert as_grace.get(ADMIN + path).status_code == 404


def test_tables_of_libraries_are_not_in_it(as_grace):
    """Keys of second factors, addresses."""
    assert set(re.findall(r"/tables/(\w+)/", as_grace.get(ADMIN).content.decode())) <= {*APPS, "jsi18n"}
    for path in ("mfa/authenticator/", "account/emailaddress/", "auth/group/", "admin/logentry/"):
        assert as_grace.get(ADMIN + path).status_code == 404


def test_secrets_are_in_no_row_and_no_list(as_grace, grace):
    invitation = Invitation.objects.create(roles=["admin"], expires_at=timezone.now())
    for row, secret in ((grace, grace.password), (invitation, invitation.nonce)):
        for path in (at(row), f"{ADMIN}annotator/{row._meta.model_name}/"):
            assert secret not in as_grace.get(path).content.decode()


@pytest.mark.parametrize("lookup", ["password__startswith=md5", "email__contains=a", "is_active=1"])
def test_nothing_can_be_asked_letter_by_letter(as_grace, lookup):
    assert as_grace.get(f"{ADMIN}annotator/annotator/?{lookup}").status_code in {302, 400}
    assert "grace" not in as_grace.get(f"{ADMIN}annotator/annotator/?{lookup}").content.decode()


def test_words_and_conclusions_stand_in_no_list(as_grace, judgement):
    assert "Houston" not in as_grace.get(f"{ADMIN}profiles/comment/").content.decode()
    listed = as_grace.get(f"{ADMIN}annotator/judgement/").content.decode()
    assert f"/judgement/{judgement.pk}/change/" in listed
    assert "male" not in listed
    assert not views()


def test_says_nothing_to_find_an_account_by(as_grace):
    comment = make_profile().comments.get()
    Comment.objects.filter(pk=comment.pk).update(reddit_id=987654321)
    for path in (at(comment), f"{ADMIN}profiles/comment/"):
        assert "987654321" not in as_grace.get(path).content.decode()
    profile = as_grace.get(at(comment.profile)).content.decode()
    assert "digest" not in profile


def test_finds_a_row_by_its_number(as_grace, judgement):
    listed = f"{ADMIN}annotator/judgement/"
    assert f"/{judgement.pk}/change/" in as_grace.get(listed, {"q": judgement.pk}).content.decode()
    for odd in ("0", "x", "²", "9" * 40):
        response = as_grace.get(listed, {"q": odd})
        assert response.status_code == 200
        assert "/change/" not in response.content.decode()


def test_a_row_that_is_not_there_leads_back(as_grace):
    assert as_grace.get(f"{ADMIN}annotator/judgement/77/change/").status_code in {302, 404}


# ── Looking is all ──────────────────────────────────────────────────────────


def test_nothing_in_it_writes(as_grace, judgement):
    listed, row = f"{ADMIN}annotator/judgement/", at(judgement)
    for path in (listed, row, ADMIN):
        for write in (as_grace.post, as_grace.put, as_grace.delete):
            assert write(path).status_code == 405
    for path in (f"{listed}add/", row.replace("change", "delete"), row.replace("change", "history"), f"{ADMIN}login/"):
        assert as_grace.get(path).status_code == 404
        assert as_grace.post(path).status_code == 404


def test_only_pages_to_look_at_have_an_address():
    admin = next(url for url in get_resolver().url_patterns if str(url.pattern) == "tables/")
    names = {url.name for part in admin.url_patterns for url in getattr(part, "url_patterns", [part])}
    assert {name.rpartition("_")[2] for name in names} == {"index", "jsi18n", "list", "changelist", "change"}


def test_offers_no_button_that_writes(as_grace, judgement):
    for path in (at(judgement), f"{ADMIN}annotator/judgement/"):
        page = as_grace.get(path).content.decode()
        assert not re.search(r'name="_save|Delete|addlink|name="action"|historylink', page)


# ── What is recorded ────────────────────────────────────────────────────────


def test_opening_a_row_about_a_profile_is_recorded(as_grace, grace, judgement):
    profile = judgement.assignment.profile
    assert "male" in as_grace.get(at(judgement)).content.decode()
    assert views() == [{"profile": profile.pk, "page": "database tables"}]
    assert AuditEntry.objects.get(action="profile_seen").actor == grace


@pytest.mark.parametrize("kind", ["profile", "comment", "gold", "event"])
def test_by_whatever_way_it_is_read(as_grace, judgement, kind):
    profile = judgement.assignment.profile
    rows = {
        "profile": lambda: profile,
        "comment": profile.comments.get,
        "gold": lambda: GoldRecord.objects.create(profile=profile, attribute="sex", reached="single", rule="x"),
        "event": apps.get_model("annotator", "JudgementEvent").objects.get,
    }
    assert as_grace.get(at(rows[kind]())).status_code == 200
    assert [details["profile"] for details in views()] == [profile.pk]


def test_a_row_about_nobody_is_not(as_grace, grace, judgement):
    assert as_grace.get(at(grace)).status_code == 200
    assert as_grace.get(at(judgement.assignment.batch)).status_code == 200
    assert not views()


def test_history_of_what_is_gone_can_be_read(as_grace, judgement):
    event = apps.get_model("annotator", "JudgementEvent").objects.get()
    assignment = judgement.assignment
    judgement.delete()
    assignment.delete()
    assert as_grace.get(at(event)).status_code == 200


# ── How much it costs ───────────────────────────────────────────────────────


@pytest.mark.parametrize("n_rows", [1, 40])
def test_the_number_of_queries_does_not_grow(as_grace, django_assert_num_queries, n_rows):
    make_profile(*(f"I moved to Houston {n}" for n in range(n_rows)))
    with django_assert_num_queries(3):  # the admin, how many, the rows
        as_grace.get(f"{ADMIN}profiles/comment/")


def test_counts_no_further_than_it_can_be_paged_through(as_grace, monkeypatch):
    monkeypatch.setattr("annotator.site.admin.MAX_ROWS", 2)
    monkeypatch.setattr(ReadOnlyAdmin, "list_per_page", 1)
    make_profile("one", "two", "three")
    page = as_grace.get(f"{ADMIN}profiles/comment/?p=2").content.decode()
    assert page.count("/change/") == 1
    assert "2 comments" in page


def test_the_policy_is_that_of_every_page(as_grace, judgement):
    for path in (ADMIN, f"{ADMIN}annotator/judgement/", at(judgement)):
        response = as_grace.get(path)
        assert "unsafe" not in response["Content-Security-Policy"]
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", response.content.decode())


def test_names_stay_sealed(as_grace):
    profile = make_profile()
    AccountName.objects.create(profile=profile, sealed=b"sealed name")
    assert "sealed" not in as_grace.get(at(profile)).content.decode()
