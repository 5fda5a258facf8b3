"""The account name behind a pseudonym: for admins only, with a reason, and always recorded."""

import pytest
from django.test import Client

from annotator.corpora.views.account_name import NO_NAME
from annotator.models import AuditEntry
from profiles.models import AccountName
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.privacy.forgotten_account import NAME, make_account
from tests.factories import make_assignment, make_corpus, make_profile

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
WHY = {"reason": "They wrote to us and want to see their data"}


@pytest.fixture
def profile():
    return make_account()


def url_of(profile) -> str:
    return f"/profiles/{profile.pk}/account-name/"


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "fragment"])
def test_shows_the_name_and_writes_down_who_asked_and_why(as_grace, grace, profile, headers):
    response = as_grace.post(url_of(profile), WHY, headers=headers)
    page = response.content.decode()
    assert response.status_code == 200
    assert f"u/{NAME}" in page
    assert ("<html" in page) is (headers == {})
    assert "no-store" in response["Cache-Control"]
    written = entry("account_name_seen")
    assert (written.actor, written.subject) == (grace, None)
    assert written.details == WHY | {"profile_id": profile.pk, "corpus_id": profile.corpus_id}
    assert actions() == ["account_name_seen"]


def test_the_profile_offers_it_to_admins_and_does_not_show_it(as_grace, rosalind, profile):
    page = as_grace.get(f"/profiles/{profile.pk}/").content.decode()
    assert f'action="{url_of(profile)}"' in page
    as_grace.post(url_of(profile), WHY)
    assert NAME not in as_grace.get(f"/profiles/{profile.pk}/").content.decode()
    as_grace.force_login(rosalind)
    assert "account-name" not in as_grace.get(f"/profiles/{profile.pk}/").content.decode()


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "fragment"])
@pytest.mark.parametrize("reason", ["", "   ", "x" * 201, "x" * 100_000, "a\x00b"], ids=lambda reason: repr(reason)[:9])
def test_no_reason_no_name(as_grace, profile, reason, headers):
    response = as_grace.post(url_of(profile), {"reason": reason}, headers=headers)
    assert response.status_code == 422
    assert NAME not in response.content.decode()
    assert actions() == []


def test_a_hostile_reason_is_kept_as_text(as_grace, profile):
    as_grace.post(url_of(profile), {"reason": "<script>alert(1)</script>"})
    assert "<script>alert" not in as_grace.get("/audit/").content.decode()
    assert entry("account_name_seen").details["reason"] == "<script>alert(1)</script>"


def test_is_for_admins_only(ada, rosalind, profile):
    make_assignment(annotator=ada, profile=profile)
    client = Client()
    assert client.post(url_of(profile), WHY)["Location"].startswith("/account/login/")
    for annotator in (ada, rosalind):
        client.force_login(annotator)
        response = client.post(url_of(profile), WHY)
        assert response.status_code == 404
        assert NAME not in response.content.decode()
    assert actions() == []


def test_needs_a_post(as_grace, profile):
    assert as_grace.get(url_of(profile), WHY).status_code == 405
    assert actions() == []


def test_a_form_from_elsewhere_is_refused(grace, profile):
    client = Client(enforce_csrf_checks=True)
    client.force_login(grace)
    assert client.post(url_of(profile), WHY).status_code == 403
    assert actions() == []


def test_what_does_not_exist_or_is_not_loaded_yet_is_not_found(as_grace):
    hidden = make_account("somebody", corpus=make_corpus(ready=False))
    assert as_grace.post(url_of(hidden), WHY).status_code == 404
    assert as_grace.post(f"/profiles/{10**18}/account-name/", WHY).status_code == 404
    assert as_grace.post(f"/profiles/{10**30}/account-name/", WHY).status_code == 404


def test_another_key_is_explained_and_nothing_is_recorded(as_grace, profile, settings):
    settings.ACCOUNT_KEY = "another key"
    response = as_grace.post(url_of(profile), WHY)
    assert response.status_code == 422
    assert "TELLTALE_ACCOUNT_KEY" in response.content.decode()
    assert actions() == []


def test_a_profile_without_a_name_says_so(as_grace):
    profile = make_profile()
    assert not AccountName.objects.exists()
    response = as_grace.post(url_of(profile), WHY)
    assert response.status_code == 422
    assert NO_NAME in response.content.decode()
    assert actions() == []


@pytest.mark.parametrize("reason", [f"is it u/{NAME}?", NAME.lower(), f"{NAME.upper()}, {NAME}"])
def test_a_reason_that_guesses_the_name_is_kept_without_it(as_grace, profile, reason):
    assert as_grace.post(url_of(profile), {"reason": reason}).status_code == 200
    assert "…" in entry("account_name_seen").details["reason"]
    assert "tinroof" not in str(list(AuditEntry.objects.values())).lower()


def test_a_reason_loses_only_whole_names(as_grace):
    profile = make_account("a")
    as_grace.post(url_of(profile), {"reason": "a data request"})
    assert entry("account_name_seen").details["reason"] == "… data request"


def test_the_name_is_not_logged(as_grace, profile, caplog):
    with caplog.at_level("DEBUG"):
        as_grace.post(url_of(profile), WHY)
    assert "request_finished" in caplog.text
    assert "tinroof" not in caplog.text.lower()
    assert "tinroof" not in str(list(AuditEntry.objects.values())).lower()


@pytest.mark.parametrize("comments", [1, 40])
def test_query_count_does_not_grow(as_grace, django_assert_num_queries, comments):
    profile = make_account(comments=comments)
    as_grace.get("/")
    with django_assert_num_queries(6):  # the admin, the profile, begin, the name, the entry, end
        as_grace.post(url_of(profile), WHY)
