"""Signing in, lock-outs, and what the audit log records about them."""

import json
import time

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from annotator.accounts import lockout
from annotator.accounts.adapters import SLOWED_DOWN, WRONG_CREDENTIALS, LockoutMessage
from annotator.models import AuditEntry
from tests.annotator.accounts.sign_in_forms import SIGN_IN, actions, entry, is_signed_in, sign_in, signed_in
from tests.factories import PASSWORD, make_annotator

pytestmark = pytest.mark.django_db
LOCKED_OUT = str(LockoutMessage())


@pytest.mark.parametrize("login", ["ada", "ADA", "ada@example.org", "Ada@Example.org"])
def test_lets_a_person_in_by_either_name(client, ada, login):
    response = sign_in(client, login)
    assert (response.status_code, response["Location"]) == (302, "/")
    assert is_signed_in(client)


def test_the_page_shows_to_anybody(client):
    page = client.get(SIGN_IN).content.decode()
    assert "Sign in to Telltale" in page
    assert "/account/password/reset/" in page


def test_writes_down_who_came_in_how_and_from_where(client, ada):
    sign_in(client, "ada")
    written = entry("signed_in")
    assert (written.actor, written.address, written.details) == (ada, "127.0.0.1", {"methods": ["password"]})


def test_goes_on_to_where_the_person_wanted(client, ada):
    response = client.post(SIGN_IN, {"login": "ada", "password": PASSWORD, "next": "/account/"})
    assert response["Location"] == "/account/"


def test_does_not_lead_to_other_sites(client, ada):
    response = client.post(SIGN_IN, {"login": "ada", "password": PASSWORD, "next": "https://evil.example/"})
    assert response["Location"] == "/"


def test_refuses_a_wrong_password_and_says_what_to_do(client, ada):
    response = sign_in(client, "ada", "wrong")
    assert WRONG_CREDENTIALS in response.content.decode()
    assert not is_signed_in(client)
    assert entry("sign_in_failed").subject == ada


def test_never_keeps_what_an_unknown_person_typed(client, ada):
    sign_in(client, "my-secret-typed-here", "another-secret")
    written = entry("sign_in_failed")
    assert (written.subject, written.actor) == (None, None)
    kept = json.dumps(list(AuditEntry.objects.values("action", "details")))
    assert "secret" not in kept


def test_an_unknown_name_gets_the_same_words_as_a_wrong_password(client, ada):
    assert WRONG_CREDENTIALS in sign_in(client, "nobody").content.decode()


@pytest.mark.parametrize("login", ["a\x00b", "", "x" * 10_000, "<script>alert(1)</script>", "' OR 1=1 --", "😀"])
def test_survives_hostile_names(client, ada, login):
    response = sign_in(client, login)
    assert response.status_code == 200
    assert "<script>alert" not in response.content.decode()


def test_locks_out_after_five_failures_even_with_the_right_password(client, ada):
    for _ in range(5):
        sign_in(client, "ada", "wrong")
    response = sign_in(client, "ada")
    assert LOCKED_OUT in response.content.decode()
    assert not is_signed_in(client)


def test_writes_down_when_the_lock_out_begins_and_what_was_refused(client, ada):
    for _ in range(6):
        sign_in(client, "ada", "wrong")
    assert actions() == ["sign_in_failed"] * 5 + ["locked_out", "sign_in_failed"]
    assert entry("locked_out").subject == ada
    assert entry("sign_in_failed").details == {"refused": "locked out"}


def test_counts_a_person_once_whichever_name_and_host_is_used(client, ada):
    for login in ["ada", "ADA", "ada@example.org", "Ada@example.org"]:
        sign_in(client, login, "wrong")
    client.post(SIGN_IN, {"login": "ada", "password": "wrong"}, headers={"host": "localhost"})
    assert LOCKED_OUT in sign_in(client, "ada@example.org").content.decode()
    assert lockout.is_locked_out(ada)


def test_a_lock_out_hits_nobody_else(client, ada, grace):
    for _ in range(5):
        sign_in(client, "ada", "wrong")
    assert sign_in(client, "grace").status_code == 302


@pytest.mark.parametrize(
    ("theirs", "own"),
    [("203.0.113.9", "198.51.100.7"), ("2001:db8:1:1::9", "2001:db8:1:2::9"), ("::ffff:203.0.113.9", "203.0.113.10")],
)
def test_nobody_locks_out_the_only_admin_from_elsewhere(grace, theirs, own):
    attacker, owner = Client(REMOTE_ADDR=theirs), Client(REMOTE_ADDR=own)
    for _ in range(6):
        sign_in(attacker, "grace", "wrong")
    assert LOCKED_OUT in sign_in(attacker, "grace").content.decode()
    assert sign_in(owner, "grace").status_code == 302


def guess_from_everywhere(login: str, count: int) -> None:
    """Wrong passwords, each from another address."""
    for number in range(count):
        sign_in(Client(REMOTE_ADDR=f"203.0.113.{number}"), login, "wrong")


@pytest.mark.parametrize("login", ["ada", "nobody"])
def test_passwords_from_ever_new_addresses_are_slowed_down(ada, login, monkeypatch):
    monkeypatch.setattr(lockout, "GUESSES_FROM_ANYWHERE", 4)
    guess_from_everywhere(login, 5)  # the last begins the pause
    response = sign_in(Client(REMOTE_ADDR="198.51.100.7"), login)
    assert SLOWED_DOWN in response.content.decode()
    assert entry("sign_in_failed").details == {"refused": "slowed down"}


def test_one_of_them_is_checked_after_each_pause(ada, monkeypatch):
    monkeypatch.setattr(lockout, "GUESSES_FROM_ANYWHERE", 4)
    monkeypatch.setattr(lockout, "PAUSE", 0.01)
    guess_from_everywhere("ada", 20)
    time.sleep(0.02)
    assert sign_in(Client(REMOTE_ADDR="198.51.100.7"), "ada").status_code == 302


def test_nobody_is_slowed_down_where_they_signed_in_before_nor_are_others(ada, grace, monkeypatch):
    monkeypatch.setattr(lockout, "GUESSES_FROM_ANYWHERE", 4)
    sign_in(Client(REMOTE_ADDR="198.51.100.7"), "ada")
    guess_from_everywhere("ada", 8)
    assert sign_in(Client(REMOTE_ADDR="198.51.100.7"), "ada").status_code == 302
    assert sign_in(Client(REMOTE_ADDR="198.51.100.8"), "grace").status_code == 302
    assert SLOWED_DOWN in sign_in(Client(REMOTE_ADDR="198.51.100.9"), "ada").content.decode()
    lockout.lift_lockout(ada)
    assert sign_in(Client(REMOTE_ADDR="198.51.100.9"), "ada").status_code == 302


def test_addresses_of_one_network_count_as_one(ada):
    """Whoever has one IPv6 address has 2**64 of them."""
    for number in range(5):
        sign_in(Client(REMOTE_ADDR=f"2001:db8::{number:x}"), "ada", "wrong")
    assert LOCKED_OUT in sign_in(Client(REMOTE_ADDR="2001:db8::abcd"), "ada").content.decode()


def test_a_spray_blocks_nobody_behind_its_address(client, ada, grace):
    for number in range(40):
        assert sign_in(client, f"nobody{number}", "wrong").status_code == 200
        sign_in(client, "ada", "wrong")
    assert LOCKED_OUT in sign_in(client, "ada").content.decode()
    assert sign_in(client, "grace").status_code == 302


def test_attempts_at_the_same_time_are_counted_before_they_are_checked(client, ada, monkeypatch):
    """Five attempts under way are five attempts, whether or not their passwords were checked already."""
    counter = lockout.password_counter("ada", "127.0.0.1")
    assert [counter.count() for _ in range(6)] == [1, 2, 3, 4, 5, 6]
    assert LOCKED_OUT in sign_in(client, "ada").content.decode()


def test_locks_an_unknown_name_in_the_same_words(client, ada):
    for _ in range(5):
        sign_in(client, "nobody", "wrong")
    assert LOCKED_OUT in sign_in(client, "nobody").content.decode()


def test_a_success_forgets_the_failures_before_it(client, ada):
    for _ in range(4):
        sign_in(client, "ada", "wrong")
    assert sign_in(client, "ada").status_code == 302
    client.post("/account/logout/")
    for _ in range(4):
        sign_in(client, "ada", "wrong")
    assert sign_in(client, "ada").status_code == 302


def test_a_lock_out_can_be_lifted(client, ada):
    for _ in range(5):
        sign_in(client, "ada", "wrong")
    lockout.lift_lockout(ada)
    assert not lockout.is_locked_out(ada)
    assert sign_in(client, "ada").status_code == 302


def test_lifting_reaches_every_address(ada):
    clients = [Client(REMOTE_ADDR=address) for address in ("203.0.113.9", "2001:db8::1", "127.0.0.1")]
    for client in clients * 5:
        sign_in(client, "ada", "wrong")
    assert lockout.is_locked_out(ada)
    lockout.lift_lockout(ada)
    assert [sign_in(client, "ada").status_code for client in clients] == [302, 302, 302]


def test_the_length_of_a_lock_out_follows_the_setting(settings):
    settings.LOCKOUT = "3/1h"
    assert (lockout.max_failures(), lockout.lockout_minutes()) == (3, 60)
    settings.LOCKOUT = "10/s"
    assert (lockout.max_failures(), lockout.lockout_minutes()) == (10, 1)


def test_a_deactivated_person_is_told_so_and_kept_out(client):
    make_annotator("dorothy", is_active=False)
    response = sign_in(client, "dorothy")
    assert "This account has been deactivated" in client.get(response["Location"]).content.decode()
    assert not is_signed_in(client)
    assert actions() == ["sign_in_failed"]


def test_signing_out_needs_a_click_and_is_written_down(ada):
    client = signed_in(ada)
    assert "Sign out?" in client.get("/account/logout/").content.decode()
    assert is_signed_in(client)
    client.post("/account/logout/")
    assert not is_signed_in(client)
    assert entry("signed_out").actor == ada


def test_a_session_ends_by_itself(client, ada, settings):
    sign_in(client, "ada")
    assert client.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == settings.SESSION_COOKIE_AGE == 12 * 3600
    assert client.cookies[settings.SESSION_COOKIE_NAME]["httponly"]


def test_nobody_signs_up_uninvited(client):
    assert "Accounts are by invitation only" in client.get("/account/signup/").content.decode()
    client.post("/account/signup/", {"username": "eve", "password1": PASSWORD, "password2": PASSWORD})
    assert not is_signed_in(client)


def test_a_forged_form_is_refused(ada):
    strict = Client(enforce_csrf_checks=True)
    assert sign_in(strict, "ada").status_code == 403


def test_an_address_that_is_none_is_not_written_down(client, ada, settings):
    sign_in(client, "ada")
    client.logout()  # Django's own, with a request from nowhere
    assert entry("signed_out").address is None


def test_proxies_that_do_not_add_up_are_a_setting_to_mend(client, ada, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    with pytest.raises(ImproperlyConfigured):
        client.post(SIGN_IN, {"login": "ada", "password": "x"}, headers={"x-forwarded-for": "10.0.0.1"})
