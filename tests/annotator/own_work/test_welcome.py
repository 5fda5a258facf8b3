"""The first visit of an evaluator: the guidelines come before the first real profile."""

import pytest
from django.utils import timezone

from annotator.models import AuditEntry
from annotator.own_work.queries.statistics import profile_duration
from tests.annotator.accounts.sign_in_forms import entry
from tests.factories import make_annotator, make_assignment, make_batch

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer(client):
    person = make_annotator("newcomer", welcomed_at=None)
    client.force_login(person)
    return person


def test_leads_to_the_guidelines_and_back_to_the_profile(client, newcomer):
    first = make_assignment(annotator=newcomer)
    url, welcome = f"/assignments/{first.pk}/", f"/welcome/?assignment={first.pk}"
    assert client.get(url)["Location"] == welcome
    page = client.get(welcome)
    assert page.status_code == 200
    assert first.batch.guideline.text in page.content.decode()
    assert client.post(welcome)["Location"] == url
    assert client.get(url).status_code == 200
    newcomer.refresh_from_db()
    assert newcomer.welcomed_at
    assert entry("guidelines_read").details == {"version": first.batch.guideline.number}


def test_confirming_twice_is_recorded_once(client, newcomer):
    make_batch()
    for _ in range(2):
        assert client.post("/welcome/")["Location"] == "/"
    assert AuditEntry.objects.filter(action="guidelines_read").count() == 1


def test_holds_nobody_up_who_has_submitted_before(client, newcomer):
    make_assignment(annotator=newcomer, submitted_at=timezone.now())
    assert client.get(f"/assignments/{make_assignment(annotator=newcomer).pk}/").status_code == 200


def test_practice_comes_before_the_guidelines(client, newcomer):
    practice = make_assignment(annotator=newcomer, batch=make_batch(is_practice=True))
    assert client.get(f"/assignments/{practice.pk}/").status_code == 200
    assert client.get(f"/assignments/{make_assignment(annotator=newcomer).pk}/").status_code == 302


def test_says_how_long_a_profile_takes_if_that_was_measured(ada):
    batch = make_batch()
    assert profile_duration(batch) == ""
    for seconds in (60, 300, 900):
        make_assignment(annotator=ada, batch=batch, submitted_at=timezone.now(), active_seconds=seconds)
    assert profile_duration(batch) == profile_duration(None) == "5 min"
    assert profile_duration(make_batch()) == ""


def test_profiles_of_others_do_not_exist(client, newcomer, rosalind):
    theirs = make_assignment(annotator=make_annotator())
    assert client.get(f"/welcome/?assignment={theirs.pk}").status_code == 404
    assert client.get("/welcome/?assignment=x").status_code == 200
    client.force_login(rosalind)
    assert client.get("/welcome/").status_code == 404
