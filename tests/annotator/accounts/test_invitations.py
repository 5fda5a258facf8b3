"""Invite someone, and join through an invitation."""

import threading
from contextlib import suppress
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from django.utils.html import escape
from pytest_django.asserts import assertTemplateUsed

from annotator.accounts import links, tasks
from annotator.accounts.forms import USER_NAME_TAKEN
from annotator.accounts.services import invitations as services
from annotator.accounts.views.join import EXPIRED, REVOKED, USED
from annotator.models import Annotator, Invitation, Role
from tests.annotator.accounts.sign_in_forms import actions, entry, is_signed_in, link_in, sign_in
from tests.factories import PASSWORD, make_annotator

pytestmark = pytest.mark.django_db
PATH = "/people/invitations/"


def make_invitation(**fields) -> Invitation:
    defaults = {"roles": ["evaluator"], "expires_at": timezone.now() + timedelta(days=7)}
    return Invitation.objects.create(**(defaults | fields))


def link_of(invitation: Invitation) -> str:
    return links.invitation_link(invitation, "")


def answers(**fields: str) -> dict[str, str]:
    defaults = {
        "username": "mary",
        "display_name": "Mary S.",
        "email": "",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    return defaults | fields


def invite(client, **fields):
    return client.post(PATH, {"roles": ["evaluator", "admin"], "email": ""} | fields)


def assert_closed(response, reason: str) -> None:
    """The page gives this reason, and no other."""
    assert response.status_code == 410
    page = response.content.decode()
    assert [known for known in (USED, REVOKED, EXPIRED) if escape(known) in page] == [reason]


def assert_only_refuses(response, *fields: str) -> None:
    """The form names exactly these fields, and the page shows what is wrong with each."""
    errors = response.context["form"].errors
    assert set(errors) == set(fields)
    assert all(escape(errors[field][0]) in response.content.decode() for field in fields)


@pytest.mark.parametrize("is_revoked", [False, True])
@pytest.mark.parametrize("is_used", [False, True])
@pytest.mark.parametrize("days", [-1, 1])
def test_open_means_the_same_for_queries_and_rows(ada, days, is_used, is_revoked):
    now = timezone.now()
    invitation = make_invitation(
        expires_at=now + timedelta(days=days), revoked_at=now if is_revoked else None,
        used_at=now if is_used else None, used_by=ada if is_used else None,
    )  # fmt: skip
    is_open = days > 0 and not is_used and not is_revoked
    assert (invitation.is_open, Invitation.objects.open().exists()) == (is_open, is_open)


# ── Making one ──────────────────────────────────────────────────────────────


def test_an_admin_gets_a_link_to_hand_over(as_grace, grace):
    page = as_grace.get(invite(as_grace)["Location"]).content.decode()
    invitation = Invitation.objects.get()
    assert f'value="http://testserver{link_of(invitation)}"' in page
    assert (set(invitation.roles), invitation.created_by) == ({"evaluator", "admin"}, grace)
    assert entry("invited").details == {"invitation": invitation.pk, "roles": invitation.roles}


def test_a_link_starts_with_the_base_url_where_one_is_set(as_grace, settings):
    settings.BASE_URL = "https://study.example.org"
    assert "https://study.example.org/join/" in as_grace.get(invite(as_grace)["Location"]).content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"roles": []},
        {"roles": ["emperor"]},
        {"email": "nonsense"},
        {"email": "GRACE@example.org"},
        {"email": "a\x00@example.org"},
    ],
)
def test_a_refused_form_says_why_and_makes_nothing(as_grace, fields):
    response = invite(as_grace, **fields)
    assert response.status_code == 422
    assert_only_refuses(response, *fields)
    assert not Invitation.objects.exists()


def test_only_admins_invite(client, as_ada):
    assert invite(as_ada).status_code == 404
    assert invite(Client())["Location"].startswith("/account/login/")
    assert not Invitation.objects.exists()


def test_inviting_needs_a_post(as_grace):
    assert as_grace.get(PATH).status_code == 405


def test_mails_the_link_where_mail_is_set_up(as_grace, settings, monkeypatch, django_capture_on_commit_callbacks):
    settings.MAIL_IS_CONFIGURED = True
    monkeypatch.setattr(tasks.mail_invitation, "delay", tasks.mail_invitation)
    with django_capture_on_commit_callbacks(execute=True):
        invite(as_grace, email="Mary@Example.org")
    message = mail.outbox[0]
    assert message.to == ["mary@example.org"]
    assert link_in(message) == f"http://testserver{link_of(Invitation.objects.get())}"


@pytest.mark.parametrize(("configured", "email"), [(False, "mary@example.org"), (True, "")])
def test_sends_nothing_without_mail_or_address(
    as_grace, settings, configured, email, django_capture_on_commit_callbacks
):
    settings.MAIL_IS_CONFIGURED = configured
    with django_capture_on_commit_callbacks() as callbacks:
        invite(as_grace, email=email)
    assert callbacks == []


def test_mails_no_link_of_a_closed_invitation():
    tasks.mail_invitation(make_invitation(email="mary@example.org", revoked_at=timezone.now()).pk)
    assert mail.outbox == []


def test_an_open_invitation_is_listed_and_its_link_can_be_seen_again(as_grace):
    invitation = make_invitation(email="mary@example.org")
    assert "mary@example.org" in as_grace.get("/people/").content.decode()
    assert link_of(invitation) in as_grace.get(f"/people/?invitation={invitation.pk}").content.decode()


@pytest.mark.parametrize("number", ["0", "x", "-1", "9" * 30, "\x00", "²", "٣"])
def test_asking_for_an_odd_invitation_shows_no_link(as_grace, number):
    make_invitation(pk=3)  # as the last one might be read
    response = as_grace.get("/people/", {"invitation": number})
    assert response.status_code == 200
    assert "/join/" not in response.content.decode()


def test_a_revoked_invitation_no_longer_lets_in(as_grace, client, grace):
    invitation = make_invitation()
    as_grace.post(f"{PATH}{invitation.pk}/revoke/")
    assert entry("invitation_revoked").actor == grace
    response = Client().post(link_of(invitation), answers())
    assert_closed(response, REVOKED)
    assert not Annotator.objects.filter(username="mary").exists()


def test_revoking_twice_is_recorded_once(as_grace):
    invitation = make_invitation()
    as_grace.post(f"{PATH}{invitation.pk}/revoke/")
    response = as_grace.post(f"{PATH}{invitation.pk}/revoke/", follow=True)
    assert [message.level_tag for message in response.context["messages"]] == ["success", "info"]
    assert actions() == ["invitation_revoked"]
    assert Client().get(link_of(invitation)).status_code == 410


def test_revoking_is_for_admins_and_by_post(as_grace, ada):
    path = f"{PATH}{make_invitation().pk}/revoke/"
    other = Client()
    assert other.post(path)["Location"].startswith("/account/login/")
    other.force_login(ada)
    assert other.post(path).status_code == 404
    assert as_grace.get(path).status_code == 405
    assert as_grace.post(f"{PATH}{10**18}/revoke/").status_code == 404


# ── Joining ────────────────────────────────────────────────────────────────


def test_lets_somebody_join_with_the_roles_they_were_promised(client):
    invitation = make_invitation(roles=["researcher"], email="mary@example.org")
    assert 'value="mary@example.org"' in client.get(link_of(invitation)).content.decode()
    response = client.post(link_of(invitation), answers(email="Mary@Example.org"))
    assert (response.status_code, response["Location"]) == (302, "/")
    mary = Annotator.objects.get(username="mary")
    assert (mary.roles, mary.display_name, mary.email) == ([Role.RESEARCHER], "Mary S.", "mary@example.org")
    assert is_signed_in(client)
    assert entry("joined").actor == mary
    assert entry("signed_in").details == {"methods": ["invitation"]}


def test_they_can_sign_in_afterwards(client):
    client.post(link_of(make_invitation()), answers())
    assert sign_in(Client(), "mary").status_code == 302


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"username": ""}, "username"),
        ({"username": "ADA"}, "username"),
        ({"username": "mary@example.org"}, "username"),
        ({"username": "ma\x00ry"}, "username"),
        ({"username": "m" * 151}, "username"),
        ({"username": "mary shelley"}, "username"),
        ({"display_name": "   "}, "display_name"),
        ({"display_name": "M" * 81}, "display_name"),
        ({"display_name": "M\x00"}, "display_name"),
        ({"email": "ADA@example.org"}, "email"),
        ({"email": "nonsense"}, "email"),
        ({"password1": "short", "password2": "short"}, "password2"),
        ({"password1": "password123", "password2": "password123"}, "password2"),
        ({"username": "maryshelley", "password1": "maryshelley1", "password2": "maryshelley1"}, "password2"),
        ({"password2": "something else"}, "password2"),
    ],
)
def test_a_refused_answer_says_why_and_keeps_the_invitation(client, ada, fields, wrong):
    invitation = make_invitation()
    response = client.post(link_of(invitation), answers(**fields))
    assert response.status_code == 422
    assert_only_refuses(response, wrong)
    assert Invitation.objects.open().get() == invitation
    assert Annotator.objects.count() == 1


@pytest.mark.parametrize("username", ["ada", "Ada"])
def test_says_beside_the_field_that_a_name_is_taken(client, ada, username):
    errors = client.post(link_of(make_invitation()), answers(username=username)).context["form"].errors
    assert errors == {"username": [USER_NAME_TAKEN]}


def test_an_empty_answer_is_refused_too(client):
    assert client.post(link_of(make_invitation())).status_code == 422


def test_nobody_gives_themselves_roles(client):
    client.post(link_of(make_invitation()), answers() | {"roles": "admin", "is_superuser": "on", "is_staff": "on"})
    mary = Annotator.objects.get(username="mary")
    assert (mary.roles, mary.is_superuser, mary.is_staff) == (["evaluator"], False, False)


def test_html_in_a_name_is_shown_as_text(client, as_grace):
    Client().post(link_of(make_invitation()), answers(display_name="<script>alert(1)</script>"))
    for page in ("/people/", "/audit/", f"/people/{Annotator.objects.get(username='mary').pk}/"):
        text = as_grace.get(page).content.decode()
        assert "&lt;script&gt;alert(1)" in text
        assert "<script>alert" not in text


def test_a_used_link_says_so(client):
    invitation = make_invitation()
    client.post(link_of(invitation), answers())
    response = Client().get(link_of(invitation))
    assert_closed(response, USED)


def test_a_double_click_makes_one_account(client):
    invitation = make_invitation()
    client.post(link_of(invitation), answers())
    again = Client().post(link_of(invitation), answers())
    assert_closed(again, USED)
    assert Annotator.objects.filter(username="mary").count() == 1


def test_an_expired_link_says_so(client):
    response = client.get(link_of(make_invitation(expires_at=timezone.now() - timedelta(seconds=1))))
    assert_closed(response, EXPIRED)


def test_a_link_that_was_used_and_then_expired_was_used(ada):
    now = timezone.now()
    closed = make_invitation(used_at=now, used_by=ada, expires_at=now - timedelta(days=1))
    assert_closed(Client().get(link_of(closed)), USED)
    assert_closed(Client().get(link_of(make_invitation(revoked_at=now, expires_at=now - timedelta(days=1)))), REVOKED)


def test_a_link_that_is_revoked_while_somebody_joins_says_so(monkeypatch):
    invitation, real = make_invitation(), services.accept_invitation

    def revoked_a_moment_ago(*args, **kwargs):
        Invitation.objects.update(revoked_at=timezone.now())
        return real(*args, **kwargs)

    monkeypatch.setattr(services, "accept_invitation", revoked_a_moment_ago)
    assert_closed(Client().post(link_of(invitation), answers()), REVOKED)
    assert not Annotator.objects.filter(username="mary").exists()


@pytest.mark.parametrize("change", [lambda link: link[:-3] + "xx/", lambda _: "/join/1/", lambda _: "/join/a:b/"])
def test_a_tampered_link_is_unknown(client, change):
    response = client.get(change(link_of(make_invitation())))
    assert response.status_code == 404
    assertTemplateUsed(response, "annotator/accounts/join_unknown.html")


@pytest.mark.parametrize("token", ["%00", "a%00:b", "😀", "x" * 3000, "<script>"])
def test_survives_hostile_links(client, token):
    assert client.get(f"/join/{token}/").status_code == 404


def test_a_link_signed_for_something_else_is_unknown(client):
    from django.core.signing import Signer

    invitation = make_invitation()
    other = Signer(salt="something else").sign(f"{invitation.pk}.{invitation.nonce}")
    assert client.get(f"/join/{other}/").status_code == 404


def test_a_signed_in_person_keeps_the_link_for_whom_it_is(as_ada):
    invitation = make_invitation()
    for response in (as_ada.get(link_of(invitation)), as_ada.post(link_of(invitation), answers())):
        assert response.status_code == 409
        assertTemplateUsed(response, "annotator/accounts/join_signed_in.html")
    assert Invitation.objects.open().exists()


def test_joining_by_other_methods_is_refused(client):
    assert client.put(link_of(make_invitation())).status_code == 405


def test_the_database_decides_when_two_invitations_want_one_name(client, monkeypatch):
    """The form looks before, somebody else takes it, the constraint says no: the form explains."""
    invitation = make_invitation()
    real = services.accept_invitation

    def taken_a_moment_ago(*args, **kwargs):
        make_annotator("MARY", email="")
        return real(*args, **kwargs)

    monkeypatch.setattr(services, "accept_invitation", taken_a_moment_ago)
    response = client.post(link_of(invitation), answers())
    assert response.status_code == 422
    assert_only_refuses(response, "__all__")
    assert Invitation.objects.open().exists()


@pytest.mark.django_db(transaction=True)
def test_two_people_with_one_link_make_one_account(monkeypatch):
    invitation = make_invitation()
    together = threading.Barrier(2)
    really_save = Annotator.save

    def save_together(self, *args, **kwargs):
        """Between look and take: without the lock both stand here; with it one waits outside."""
        with suppress(threading.BrokenBarrierError):
            together.wait(timeout=1)
        really_save(self, *args, **kwargs)

    monkeypatch.setattr(Annotator, "save", save_together)
    statuses: dict[str, int] = {}

    def join(name: str) -> None:
        statuses[name] = Client().post(link_of(invitation), answers(username=name)).status_code
        connection.close()

    threads = [threading.Thread(target=join, args=[name]) for name in ("mary", "percy")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(statuses.values()) == [302, 410]
    assert Annotator.objects.count() == 1


def test_postgres_refuses_an_invitation_used_by_nobody():
    from django.db import IntegrityError

    invitation = make_invitation()
    with pytest.raises(IntegrityError, match="invitation_used_by_somebody"), transaction.atomic():
        Invitation.objects.filter(pk=invitation.pk).update(used_at=timezone.now())
