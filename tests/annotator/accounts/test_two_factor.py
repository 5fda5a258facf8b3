"""The second factor: set it up, sign in with it, lose the phone, turn it off."""

from collections import Counter

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client

from annotator.accounts import lockout
from annotator.accounts.adapters import WRONG_CODE, LockoutMessage, SecondFactorAdapter
from annotator.accounts.links import password_link
from tests.annotator.accounts.sign_in_forms import (
    actions,
    confirm_password,
    current_code,
    entry,
    is_signed_in,
    next_code,
    sign_in,
    signed_in,
)

pytestmark = pytest.mark.django_db
LOCKED_OUT = str(LockoutMessage())
SECOND_STEP = "/account/two-factor/authenticate/"
SET_UP = "/account/two-factor/totp/activate/"
CODES = "/account/two-factor/recovery-codes/"
ACTIVATED_WITH: dict[str, str] = {}  # secret → code


def set_up(annotator) -> tuple[Client, str]:
    """A browser in which the person turned it on, and the app's secret."""
    client = signed_in(annotator)
    confirm_password(client)
    secret = client.get(SET_UP).context["form"].secret
    ACTIVATED_WITH[secret] = current_code(secret)
    response = client.post(SET_UP, {"code": ACTIVATED_WITH[secret]})
    assert (response.status_code, response["Location"]) == (302, CODES)
    return client, secret


def second_step(client: Client, code: str):
    return client.post(SECOND_STEP, {"code": code})


def second_step_again(client: Client, code: str):
    return client.post("/account/two-factor/reauthenticate/", {"code": code})


def recovery_codes(annotator) -> list[str]:
    return list(Authenticator.objects.get(user=annotator, type="recovery_codes").wrap().get_unused_codes())


def test_asks_for_the_password_before_anything_changes(ada):
    client = signed_in(ada)
    response = client.get(SET_UP)
    assert response["Location"].startswith("/account/reauthenticate/")
    assert 'name="password"' in client.get(response["Location"]).content.decode()


def test_the_pages_show_and_lead_on(ada):
    client, _ = set_up(ada)
    page = client.get(CODES).content.decode()
    assert all(code in page for code in recovery_codes(ada))
    assert recovery_codes(ada)[0] in client.get(f"{CODES}download/").content.decode()
    assert "10 of 10" in client.get("/account/two-factor/").content.decode()
    assert "Turn off" in client.get("/account/two-factor/totp/deactivate/").content.decode()
    assert "10 unused codes" in client.get(f"{CODES}generate/").content.decode()


def test_the_set_up_page_shows_a_picture_and_the_key(ada):
    client = signed_in(ada)
    assert "Set up" in client.get("/account/two-factor/").content.decode()
    confirm_password(client)
    response = client.get(SET_UP)
    assert "data:image/svg+xml;base64," in response.content.decode()
    assert response.context["form"].secret in response.content.decode()


def test_the_password_alone_no_longer_opens_the_account(client, ada):
    _, secret = set_up(ada)
    assert sign_in(client, "ada")["Location"] == SECOND_STEP
    assert not is_signed_in(client)
    assert 'name="code"' in client.get(SECOND_STEP).content.decode()
    assert second_step(client, next_code(secret)).status_code == 302
    assert is_signed_in(client)
    assert entry("signed_in").details == {"methods": ["password", "totp"]}


def test_a_code_of_the_app_works_once(client, ada):
    _, secret = set_up(ada)
    code = next_code(secret)
    sign_in(client, "ada")
    second_step(client, code)
    assert is_signed_in(client)
    other = Client()
    sign_in(other, "ada")
    assert WRONG_CODE in second_step(other, f"{code[:3]} {code[3:]}").content.decode()
    assert not is_signed_in(other)


def test_the_code_that_turned_it_on_does_not_sign_in(client, ada):
    _, secret = set_up(ada)
    sign_in(client, "ada")
    for periods in (-1, 0):  # whichever of them it was
        if (code := current_code(secret, periods=periods)) == ACTIVATED_WITH[secret]:
            assert WRONG_CODE in second_step(client, code).content.decode()
    assert not is_signed_in(client)


def test_a_used_code_stays_used_for_as_long_as_it_would_be_accepted(client, ada, monkeypatch):
    """allauth forgets a used code after 30 seconds, and accepts it for 90."""
    _, secret = set_up(ada)
    code = next_code(secret)
    sign_in(client, "ada")
    second_step(client, code)
    cache.delete_many([f"allauth.mfa.totp.used?user={ada.pk}&code={code}"])
    other = Client()
    sign_in(other, "ada")
    assert second_step(other, code).status_code == 200
    assert not is_signed_in(other)


def test_a_code_confirms_a_sensitive_change_once_too(ada):
    client, secret = set_up(ada)
    code = next_code(secret)
    assert second_step_again(client, code).status_code == 302
    cache.delete_many([f"allauth.mfa.totp.used?user={ada.pk}&code={code}"])
    assert second_step_again(client, code).status_code == 200


def test_a_recovery_code_works_once(client, ada):
    set_up(ada)
    code = recovery_codes(ada)[0]
    sign_in(client, "ada")
    assert second_step(client, code).status_code == 302
    assert entry("signed_in").details == {"methods": ["password", "recovery_codes"]}
    other = Client()
    sign_in(other, "ada")
    assert second_step(other, code).status_code == 200
    assert not is_signed_in(other)


def test_wrong_codes_lock_out_and_are_written_down(client, ada):
    _, secret = set_up(ada)
    sign_in(client, "ada")
    for _ in range(5):
        assert WRONG_CODE in second_step(client, "000000").content.decode()
    assert LOCKED_OUT in second_step(client, next_code(secret)).content.decode()
    assert not is_signed_in(client)
    assert actions()[-6:] == ["sign_in_failed"] * 5 + ["locked_out"]
    assert entry("locked_out").subject == ada


def test_wrong_codes_from_elsewhere_lock_nobody_out(client, ada):
    """Even for somebody who knows the password."""
    _, secret = set_up(ada)
    for number in range(30):
        attacker = Client(REMOTE_ADDR=f"203.0.113.{number}")
        sign_in(attacker, "ada")
        second_step(attacker, "000000")
    sign_in(client, "ada")
    assert second_step(client, next_code(secret)).status_code == 302


def test_codes_cannot_be_guessed_from_ever_new_addresses(ada):
    _, secret = set_up(ada)
    for number in range(lockout.CODES_FROM_ANYWHERE + 1):
        attacker = Client(REMOTE_ADDR=f"203.0.113.{number}")
        sign_in(attacker, "ada")
        response = second_step(attacker, "000000")
    assert LOCKED_OUT in response.content.decode()
    assert LOCKED_OUT in second_step(attacker, next_code(secret)).content.decode()


def test_it_can_be_turned_off(client, ada):
    own, _ = set_up(ada)
    response = own.post("/account/two-factor/totp/deactivate/")
    assert response.status_code == 302
    assert not Authenticator.objects.filter(user=ada).exists()
    assert sign_in(client, "ada")["Location"] == "/"


def test_turning_it_off_asks_for_the_password_again(ada):
    set_up(ada)
    hijacked = Client()
    hijacked.force_login(ada)
    response = hijacked.post("/account/two-factor/totp/deactivate/")
    assert response["Location"].startswith("/account/reauthenticate/")
    assert Authenticator.objects.filter(user=ada).exists()


def test_each_step_is_written_down(ada, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        client, _ = set_up(ada)
        client.post(f"{CODES}generate/")
        client.post("/account/two-factor/totp/deactivate/")
    factors = Counter(action for action in actions() if "factor" in action)
    assert factors == {"two_factor_added": 3, "two_factor_removed": 2}  # the app and its codes, and new codes


def test_new_recovery_codes_replace_the_old_ones(ada):
    client, _ = set_up(ada)
    before = recovery_codes(ada)
    client.post(f"{CODES}generate/")
    assert not set(before) & set(recovery_codes(ada))


def test_secrets_lie_sealed_in_the_database(ada):
    _, secret = set_up(ada)
    kept = Authenticator.objects.get(user=ada, type="totp").data["secret"]
    assert secret not in kept
    assert SecondFactorAdapter().decrypt(kept) == secret
    seed = Authenticator.objects.get(user=ada, type="recovery_codes").data["seed"]
    assert len(SecondFactorAdapter().decrypt(seed)) == 80


def test_a_wrong_code_sets_nothing_up(ada):
    client = signed_in(ada)
    confirm_password(client)
    client.get(SET_UP)
    assert WRONG_CODE in client.post(SET_UP, {"code": "000000"}).content.decode()
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("code", ["a\x00b", "9" * 5000, "<b>", "١٢٣٤٥٦"])
def test_survives_hostile_codes(client, ada, code):
    set_up(ada)
    sign_in(client, "ada")
    assert second_step(client, code).status_code == 200


@pytest.mark.parametrize(
    "path", ["", "totp/activate/", "totp/deactivate/", "recovery-codes/", "recovery-codes/generate/"]
)
def test_strangers_are_led_to_the_sign_in_page(client, path):
    response = client.get(f"/account/two-factor/{path}", follow=True)
    assert response.redirect_chain[-1][0].startswith("/account/login/")


def test_can_be_set_up_by_somebody_who_once_got_a_password_link(ada):
    """The library notes the address as unconfirmed then, and by default it would refuse."""
    password_link(ada, "")
    set_up(ada)
