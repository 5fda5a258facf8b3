"""The admins' pages about people."""

import threading
from contextlib import suppress

import pytest
from django.db import connection
from django.test import Client, RequestFactory

from annotator.accounts import lockout
from annotator.accounts.services import people as services
from annotator.models import Annotator, Role, Session
from tests.annotator.accounts.sign_in_forms import (
    actions,
    add_second_factor,
    entry,
    is_signed_in,
    sign_in,
    signed_in,
)
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db
ACTIONS = ["roles", "deactivate", "reactivate", "password-link", "lift-lock-out", "remove-second-factor"]


def at(annotator: Annotator, action: str = "") -> str:
    return f"/people/{annotator.pk}/{action}/" if action else f"/people/{annotator.pk}/"


def levels(response) -> list[str]:
    """The levels of the messages on the page that a redirect leads to."""
    return [message.level_tag for message in response.context["messages"]]


# ── The list ────────────────────────────────────────────────────────────────


def test_lists_everybody_with_what_admins_want_to_know(as_grace, ada):
    add_second_factor(ada)
    make_annotator("dorothy", is_active=False)
    page = as_grace.get("/people/").content.decode()
    assert all(text in page for text in ("Ada", "Dorothy", "deactivated", "Evaluator", "<td>yes</td>", "never"))


def test_the_list_has_pages(as_grace):
    for _ in range(50):
        make_annotator()
    assert "1 to 50 of 51" in as_grace.get("/people/").content.decode()
    assert "51 to 51 of 51" in as_grace.get("/people/?page=2").content.decode()


@pytest.mark.parametrize("page", ["x", "-1", "0", "9" * 30, "\x00"])
def test_an_odd_page_number_shows_some_page(as_grace, page):
    assert as_grace.get("/people/", {"page": page}).status_code == 200


@pytest.mark.parametrize("n_people", [1, 49])
def test_the_number_of_queries_does_not_grow(as_grace, n_people, django_assert_num_queries):
    for _ in range(n_people):
        add_second_factor(make_annotator())
    as_grace.get("/people/")
    with django_assert_num_queries(4):  # the admin, the count, the page, the invitations
        as_grace.get("/people/")


def test_the_list_is_for_admins_and_for_reading(client, as_ada, rosalind, grace):
    assert as_ada.get("/people/").status_code == 404
    as_ada.force_login(rosalind)
    assert as_ada.get("/people/").status_code == 404
    assert Client().get("/people/")["Location"] == "/account/login/?next=/people/"
    as_ada.force_login(grace)
    assert as_ada.post("/people/").status_code == 405


# ── One person ──────────────────────────────────────────────────────────────


def test_shows_a_person_and_what_happened_lately(as_grace, ada):
    signed_in(ada)
    page = as_grace.get(at(ada)).content.decode()
    assert all(text in page for text in ("ada@example.org", ada.code, "signed in", "Deactivate"))


def test_a_person_who_does_not_exist_is_not_found(as_grace):
    assert as_grace.get(f"/people/{10**18}/").status_code == 404
    assert as_grace.get(f"/people/{10**30}/").status_code == 404


@pytest.mark.parametrize("action", ["", *ACTIONS])
def test_is_for_admins_only(action, ada, rosalind):
    client = Client()
    visit = client.post if action else client.get
    assert visit(at(ada, action))["Location"].startswith("/account/login/")
    for annotator in (ada, rosalind):
        client.force_login(annotator)
        assert visit(at(rosalind, action)).status_code == 404
    assert actions() == []


@pytest.mark.parametrize("action", ACTIONS)
def test_actions_need_a_post(action, as_grace, ada):
    assert as_grace.get(at(ada, action)).status_code == 405
    assert as_grace.post(f"/people/{10**18}/{action}/").status_code == 404


# ── Roles ───────────────────────────────────────────────────────────────────


def test_changes_roles_at_once(as_grace, grace, ada):
    her = signed_in(ada)
    assert her.get("/people/").status_code == 404
    as_grace.post(at(ada, "roles"), {"roles": ["admin", "evaluator"]})
    assert her.get("/people/").status_code == 200
    written = entry("roles_changed")
    assert (written.actor, written.subject) == (grace, ada)
    assert written.details == {"before": ["evaluator"], "after": ["admin", "evaluator"]}


def test_saving_the_same_roles_writes_nothing_down(as_grace, ada):
    as_grace.post(at(ada, "roles"), {"roles": ["evaluator"]})
    assert actions() == []


@pytest.mark.parametrize("roles", [[], ["emperor"], ["admin", "\x00"]])
def test_refuses_roles_that_make_no_sense(as_grace, ada, roles):
    assert as_grace.post(at(ada, "roles"), {"roles": roles}).status_code == 422
    ada.refresh_from_db()
    assert ada.roles == ["evaluator"]


def test_the_last_admin_stays_one(as_grace, grace):
    make_annotator("dorothy", roles=[Role.ADMIN], is_active=False)
    response = as_grace.post(at(grace, "roles"), {"roles": ["evaluator"]}, follow=True)
    assert levels(response) == ["error"]
    grace.refresh_from_db()
    assert grace.roles == ["admin"]


def test_an_admin_may_step_down_when_there_is_another(as_grace, grace):
    make_annotator("dorothy", roles=[Role.ADMIN])
    assert as_grace.post(at(grace, "roles"), {"roles": ["evaluator"]})["Location"] == "/"
    assert as_grace.get("/people/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_two_admins_who_remove_each_other_leave_one(monkeypatch):
    ada, grace = (make_annotator(name, roles=[Role.ADMIN]) for name in ("ada", "grace"))
    together, refused = threading.Barrier(2), []
    really_save = Annotator.save

    def save_together(self, *args, **kwargs):
        with suppress(threading.BrokenBarrierError):
            together.wait(timeout=1)
        really_save(self, *args, **kwargs)

    monkeypatch.setattr(Annotator, "save", save_together)

    def remove(annotator: Annotator, by: Annotator) -> None:
        try:
            services.change_roles(annotator, ["evaluator"], by=by, request=RequestFactory().post("/"))
        except services.ChangeRefused:
            refused.append(by)
        connection.close()

    threads = [threading.Thread(target=remove, args=pair) for pair in ((ada, grace), (grace, ada))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert Annotator.objects.filter(roles__contains=["admin"]).count() == 1
    assert len(refused) == 1


# ── Deactivating ────────────────────────────────────────────────────────────


def test_deactivating_ends_running_sessions_at_once(as_grace, grace, ada):
    hers = [signed_in(ada), signed_in(ada)]
    response = as_grace.post(at(ada, "deactivate"), follow=True)
    assert levels(response) == ["success"]
    for client in hers:
        assert client.get("/account/")["Location"] == "/account/login/?next=/account/"
    assert (entry("deactivated").actor, entry("deactivated").subject) == (grace, ada)


def test_a_deactivated_person_cannot_come_back_by_themselves(as_grace, ada):
    as_grace.post(at(ada, "deactivate"))
    client = Client()
    sign_in(client, "ada")
    assert not is_signed_in(client)


def test_a_session_that_slipped_through_is_worth_nothing(ada):
    client = signed_in(ada)
    Annotator.objects.filter(pk=ada.pk).update(is_active=False)
    assert not is_signed_in(client)


def test_old_sessions_stay_dead_when_the_person_comes_back(as_grace, ada):
    old = signed_in(ada)
    as_grace.post(at(ada, "deactivate"))
    as_grace.post(at(ada, "reactivate"))
    assert entry("reactivated").subject == ada
    assert not is_signed_in(old)
    assert is_signed_in(as_grace)
    assert is_signed_in(signed_in(ada))


def test_deactivating_forgets_her_sessions_and_nobody_elses(as_grace, ada):
    signed_in(ada)
    before = Session.objects.count()
    as_grace.post(at(ada, "deactivate"))
    assert Session.objects.count() == before - 1


def test_nobody_deactivates_themselves(as_grace, grace):
    make_annotator("dorothy", roles=[Role.ADMIN])
    response = as_grace.post(at(grace, "deactivate"), follow=True)
    assert levels(response) == ["error"]
    assert is_signed_in(as_grace)


def test_the_last_active_admin_cannot_be_deactivated(grace, ada):
    with pytest.raises(services.ChangeRefused):
        services.deactivate(grace, by=ada, request=RequestFactory().post("/"))
    grace.refresh_from_db()
    assert grace.is_active


def test_repeating_it_is_recorded_once(as_grace, ada):
    for _ in range(2):
        as_grace.post(at(ada, "deactivate"))
    for _ in range(2):
        as_grace.post(at(ada, "reactivate"))
    assert actions() == ["deactivated", "reactivated"]


# ── Helping somebody in ─────────────────────────────────────────────────────


def test_a_password_link_is_shown_once_and_written_down(as_grace, grace, ada):
    response = as_grace.post(at(ada, "password-link"))
    link = response.context["password_link"]
    assert link.startswith("http://testserver/account/password/reset/key/")
    assert f'value="{link}"' in response.content.decode()
    assert "no-store" in response["Cache-Control"]
    assert link not in as_grace.get(at(ada)).content.decode()
    written = entry("reset_link_made")
    assert (written.actor, written.subject, written.details) == (grace, ada, {})
    assert Client().get(link, follow=True).context["form"].fields.keys() == {"password1", "password2"}


def test_no_password_link_for_the_deactivated(as_grace):
    dorothy = make_annotator("dorothy", is_active=False)
    response = as_grace.post(at(dorothy, "password-link"), follow=True)
    assert levels(response) == ["error"]
    assert actions() == []


def test_a_lock_out_is_shown_and_can_be_lifted(as_grace, grace, ada):
    assert "Unlock" not in as_grace.get(at(ada)).content.decode()
    for _ in range(5):
        sign_in(Client(), "ada", "wrong")
    assert "Unlock" in as_grace.get(at(ada)).content.decode()
    as_grace.post(at(ada, "lift-lock-out"))
    assert not lockout.is_locked_out(ada)
    assert sign_in(Client(), "ada").status_code == 302
    assert entry("lock_out_lifted").subject == ada


def test_a_lost_second_factor_can_be_removed(as_grace, grace, ada):
    add_second_factor(ada)
    assert "Remove second factor" in as_grace.get(at(ada)).content.decode()
    as_grace.post(at(ada, "remove-second-factor"))
    as_grace.post(at(ada, "remove-second-factor"))
    assert sign_in(Client(), "ada")["Location"] == "/"
    assert actions() == ["two_factor_removed", "signed_in"]
    assert entry("two_factor_removed").subject == ada


def test_forged_actions_are_refused(grace, ada):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(grace)
    assert strict.post(at(ada, "deactivate")).status_code == 403


def test_reviewers_of_other_studies_are_not_people_here(as_grace):
    make_annotator("human1", is_imported=True, is_active=False, roles=())
    assert "Human1" not in as_grace.get("/people/").content.decode()
