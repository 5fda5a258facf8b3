"""Changing a password, and getting a new one by mail or through an admin."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from annotator.accounts import links, lockout, tasks
from annotator.accounts.adapters import WRONG_CURRENT
from tests.annotator.accounts.sign_in_forms import entry, is_signed_in, link_in, sign_in, signed_in
from tests.factories import PASSWORD, make_annotator

pytestmark = pytest.mark.django_db
NEW = "another red bicycle"
CHANGE = "/account/password/change/"
RESET = "/account/password/reset/"


def choose(client, link: str, password: str = NEW):
    """Open the link as a person does: it leads to a page without the key in its address."""
    page = client.get(link, follow=True)
    if not page.redirect_chain:
        return page
    return client.post(page.redirect_chain[-1][0], {"password1": password, "password2": password})


def change(client, old: str = PASSWORD, new: str = NEW):
    return client.post(CHANGE, {"oldpassword": old, "password1": new, "password2": new})


def test_changes_the_password_and_stays_signed_in_here_only(ada):
    here, elsewhere = signed_in(ada), signed_in(ada)
    assert "Change your password" in here.get(CHANGE).content.decode()
    assert change(here)["Location"] == "/account/"
    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)
    assert entry("password_changed").actor == ada


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("wrong", NEW, WRONG_CURRENT),
        (PASSWORD, "short", "too short"),
        (PASSWORD, "password123", "too common"),
        (PASSWORD, "ada@example.org", "too similar"),
        (PASSWORD, "a\x00bcdefghijkl", "null character"),
    ],
)
def test_refuses_a_bad_new_password_and_says_why(ada, old, new, reason):
    client = signed_in(ada)
    assert reason in change(client, old, new).content.decode()
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


def test_strangers_cannot_change_a_password(client):
    assert client.get(CHANGE)["Location"].startswith("/account/login/")


def test_without_mail_the_page_says_whom_to_ask(client, settings):
    settings.MAIL_IS_CONFIGURED = False
    assert "Ask an admin" in client.get(RESET).content.decode()
    client.post(RESET, {"email": "ada@example.org"})
    assert mail.outbox == []


def test_with_mail_a_link_is_sent_and_works_once(
    client, ada, settings, django_capture_on_commit_callbacks, monkeypatch
):
    settings.MAIL_IS_CONFIGURED = True
    monkeypatch.setattr(tasks.mail_password_link, "delay", tasks.mail_password_link)
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(RESET, {"email": "ADA@example.org"}, follow=True)
    assert "Check your e-mail" in response.content.decode()
    link = link_in(mail.outbox[0])
    assert link.startswith("http://testserver/account/password/reset/key/")
    choose(client, link)
    assert sign_in(client, "ada", NEW).status_code == 302


def test_an_unknown_address_gets_the_same_answer(client, ada, settings):
    settings.MAIL_IS_CONFIGURED = True
    response = client.post(RESET, {"email": "nobody@example.org"}, follow=True)
    assert "Check your e-mail" in response.content.decode()
    assert "nobody@example.org" in mail.outbox[0].body
    assert "signup" not in mail.outbox[0].body


def test_the_base_url_of_the_settings_is_used_when_there_is_one(settings, ada):
    settings.BASE_URL = "https://study.example.org/"
    tasks.mail_password_link(ada.pk)
    assert "https://study.example.org/account/password/reset/key/" in mail.outbox[0].body


def test_no_letter_goes_to_deactivated_people(ada):
    ada.is_active = False
    ada.save(update_fields=["is_active"])
    tasks.mail_password_link(ada.pk)
    assert mail.outbox == []


def test_a_link_sets_the_password_and_ends_all_sessions(client, ada):
    elsewhere = signed_in(ada)
    ada.refresh_from_db()
    response = choose(client, links.password_link(ada, ""))
    assert response["Location"] == "/account/password/reset/key/done/"
    assert "signed out everywhere" in client.get(response["Location"]).content.decode()
    assert not is_signed_in(elsewhere)
    assert sign_in(client, "ada", NEW).status_code == 302
    assert entry("password_reset").subject == ada


def test_a_link_works_once(client, ada):
    link = links.password_link(ada, "")
    choose(client, link)
    assert "This link no longer works" in choose(client, link, "a third green ladder").content.decode()
    ada.refresh_from_db()
    assert ada.check_password(NEW)


def test_a_link_dies_when_the_person_remembers_and_signs_in(client, ada):
    link = links.password_link(ada, "")
    signed_in(ada)
    assert "This link no longer works" in client.get(link).content.decode()


def test_a_link_expires(client, ada, settings):
    link = links.password_link(ada, "")
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert "This link no longer works" in client.get(link).content.decode()


@pytest.mark.parametrize("tail", ["0-x/", "zzzzzzzzzzzzzzzzzzzz-x/", "1-%00/", "1-set-password/"])
def test_a_broken_link_is_told_kindly(client, ada, tail):
    response = client.get(f"/account/password/reset/key/{tail}")
    assert "This link no longer works" in response.content.decode()


def test_a_link_does_not_get_around_bad_passwords(client, ada):
    assert "too short" in choose(client, links.password_link(ada, ""), "short").content.decode()


@pytest.mark.parametrize("email", ["mary@example.org", ""])
def test_a_new_password_lifts_a_lock_out(client, email):
    mary = make_annotator("mary", email=email)
    for _ in range(5):
        sign_in(client, "mary", "wrong")
    choose(client, links.password_link(mary, ""))
    assert not lockout.is_locked_out(mary)


def test_a_password_link_for_a_deactivated_account_does_not_let_in(client):
    dorothy = make_annotator("dorothy", is_active=False)
    choose(client, links.password_link(dorothy, ""))
    sign_in(client, "dorothy", NEW)
    assert not is_signed_in(client)


def test_an_old_address_opens_nothing_after_it_was_changed(client, ada):
    links.password_link(ada, "")  # the library notes the address
    assert EmailAddress.objects.filter(email="ada@example.org").exists()
    own = signed_in(ada)
    own.post("/account/reauthenticate/", {"password": PASSWORD})
    own.post("/account/", {"display_name": "Ada", "email": "new@example.org"})
    assert not EmailAddress.objects.filter(email="ada@example.org").exists()
    assert sign_in(client, "ada@example.org").status_code == 200
    assert sign_in(client, "new@example.org").status_code == 302


def test_the_list_of_addresses_of_the_library_is_not_used(ada):
    assert signed_in(ada).get("/account/email/")["Location"] == "/account/"
