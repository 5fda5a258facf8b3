"""The user's own account page."""

import pytest
from django.db import IntegrityError

from annotator.accounts.forms import ADDRESS_TAKEN
from annotator.accounts.services import people as services
from annotator.models import Annotator, AuditEntry
from tests.annotator.accounts.sign_in_forms import confirm_password, sign_in, signed_in
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db
PATH = "/account/"


def save(client, **fields: str):
    return client.post(PATH, {"display_name": "Ada", "email": "ada@example.org"} | fields)


def test_shows_the_account_and_its_sign_ins(ada):
    client = signed_in(ada)
    sign_in(client.__class__(), "ada", "wrong")
    page = client.get(PATH).content.decode()
    assert all(
        text in page for text in ("Ada", "ada@example.org", ada.code, "Evaluator", "signed in", "couldn’t sign in")
    )
    assert "/account/password/change/" in page
    assert "/account/two-factor/" in page


def test_changes_the_name_without_a_password(ada):
    response = save(signed_in(ada), display_name="Countess")
    assert response["Location"] == PATH
    assert Annotator.objects.get(pk=ada.pk).display_name == "Countess"


def test_a_new_address_needs_the_password_once_more(ada):
    client = signed_in(ada)
    response = save(client, email="new@example.org")
    assert response["Location"].startswith("/account/reauthenticate/")
    ada.refresh_from_db()
    assert ada.email == "ada@example.org"
    confirm_password(client)
    save(client, email="New@Example.org")
    ada.refresh_from_db()
    assert ada.email == "new@example.org"


def test_what_was_typed_is_saved_once_the_password_is_given(ada):
    client = signed_in(ada)
    again = save(client, email="new@example.org")["Location"]
    client.post(again, {"password": "a quiet blue kettle"})
    ada.refresh_from_db()
    assert ada.email == "new@example.org"


def test_an_address_may_be_left_empty_by_several(ada, grace):
    for annotator in (ada, grace):
        client = signed_in(annotator)
        confirm_password(client)
        assert save(client, email="").status_code == 302


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"display_name": ""}, "display_name"),
        ({"display_name": "A" * 81}, "display_name"),
        ({"display_name": "A\x00"}, "display_name"),
        ({"display_name": "Countess", "email": "nonsense"}, "email"),
        ({"email": "GRACE@example.org"}, "email"),
        ({"email": "a\x00@example.org"}, "email"),
    ],
)
def test_a_refused_form_says_why_and_changes_nothing(ada, grace, fields, wrong):
    client = signed_in(ada)
    confirm_password(client)
    response = save(client, **fields)
    assert response.status_code == 422
    page = response.content.decode()
    assert list(response.context["form"].errors) == [wrong]
    assert response.context["form"].errors[wrong][0] in page
    assert "<span>Ada</span>" in page  # the header still shows the stored name
    ada.refresh_from_db()
    assert (ada.display_name, ada.email) == ("Ada", "ada@example.org")


def test_says_beside_the_field_what_is_wrong_with_it(ada, grace):
    client = signed_in(ada)
    confirm_password(client)
    assert save(client, email="GRACE@example.org").context["form"].errors == {"email": [ADDRESS_TAKEN]}


def test_the_database_decides_when_two_want_one_address(ada, monkeypatch):
    client = signed_in(ada)
    confirm_password(client)
    real = services.update_account

    def taken_a_moment_ago(annotator, *, request):
        make_annotator("dorothy", email="new@example.org")
        real(annotator, request=request)

    monkeypatch.setattr(services, "update_account", taken_a_moment_ago)
    response = save(client, email="new@example.org")
    assert response.status_code == 422
    assert ADDRESS_TAKEN in response.content.decode()


def test_a_change_is_written_down(ada):
    save(signed_in(ada), display_name="Ada L.")
    assert AuditEntry.objects.filter(action="account_changed", actor=ada).count() == 1


def test_postgres_itself_refuses_a_second_owner_of_an_address(ada):
    with pytest.raises(IntegrityError, match="annotator_email_unique"):
        make_annotator("dorothy", email="ADA@example.org")


def test_nobody_gives_themselves_roles(ada):
    save(signed_in(ada), roles="admin", is_superuser="on")
    ada.refresh_from_db()
    assert (ada.roles, ada.is_superuser) == (["evaluator"], False)


def test_strangers_are_led_to_the_sign_in_page(client):
    assert client.get(PATH)["Location"] == "/account/login/?next=/account/"
    assert client.post(PATH)["Location"].startswith("/account/login/")


def test_other_methods_are_refused(as_ada):
    assert as_ada.put(PATH).status_code == 405


@pytest.mark.parametrize("n_sign_ins", [1, 30])
def test_the_number_of_queries_does_not_grow(as_ada, ada, n_sign_ins, django_assert_num_queries):
    from annotator.core.audit import record
    from annotator.models import AuditEntry

    for _ in range(n_sign_ins):
        record(AuditEntry.Action.SIGNED_IN, actor=ada)
    as_ada.get(PATH)
    with django_assert_num_queries(4):  # the person, the form's copy, the second factor, the sign-ins
        as_ada.get(PATH)
