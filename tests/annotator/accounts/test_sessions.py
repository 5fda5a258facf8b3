"""Sessions bring their person along, and end where the person is signed out."""

from datetime import timedelta

import pytest
from django.contrib.auth import HASH_SESSION_KEY
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotator.accounts.backends import SignInBackend
from annotator.accounts.sessions import SessionStore
from annotator.models import Session
from tests.annotator.accounts.sign_in_forms import is_signed_in, sign_in

pytestmark = pytest.mark.django_db


def test_the_session_and_its_person_are_one_query(as_ada):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert as_ada.get("/session/").json()["person"] is not None
    assert len(queries) == 1


def test_a_visitor_costs_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert Client().get("/session/").json()["person"] is None


def test_a_session_knows_who_signed_in(ada):
    client = Client()
    sign_in(client, "ada")
    assert list(ada.sessions.values_list("session_key", flat=True)) == [client.session.session_key]


def test_somebody_who_signs_out_leaves_no_session(ada):
    client = Client()
    sign_in(client, "ada")
    client.post("/account/logout/")
    assert not ada.sessions.exists()


def test_a_session_ends_in_time(as_ada, ada):
    ada.sessions.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not is_signed_in(as_ada)


def test_signing_in_removes_sessions_that_are_over(ada, grace):
    sign_in(Client(), "grace")
    grace.sessions.update(expire_date=timezone.now() - timedelta(seconds=1))
    sign_in(Client(), "ada")
    assert [session.person for session in Session.objects.all()] == [ada]


def test_an_old_password_ends_the_session(as_ada, ada):
    """Django compares a digest of the password, also with the person whom the session brought along."""
    ada.set_password("another good password")
    ada.save()
    assert not is_signed_in(as_ada)


def test_a_person_who_may_not_sign_in_is_nobody(as_ada, ada):
    type(ada).objects.filter(pk=ada.pk).update(is_active=False)
    assert not is_signed_in(as_ada)


def test_the_data_decide_whose_session_it_is(as_ada, ada, grace):
    """The column says whom to bring along. If it is wrong, the right person is read."""
    ada.sessions.update(person=grace)
    assert as_ada.get("/session/").json()["person"] == ada.pk


def test_forged_data_are_no_session(as_ada, ada):
    ada.sessions.update(session_data="forged")
    assert not is_signed_in(as_ada)


def test_a_session_without_a_digest_is_nobody(as_ada):
    session = as_ada.session
    del session[HASH_SESSION_KEY]
    session.save()
    assert not is_signed_in(as_ada)


def test_a_session_without_a_person_is_kept():
    store = SessionStore()
    store["message"] = "hello"
    store.save()
    again = SessionStore(store.session_key)
    assert (again["message"], again.person) == ("hello", None)
    assert Session.objects.get().person is None


def test_the_backend_finds_people_by_itself(ada):
    assert SignInBackend().get_user(ada.pk) == ada
