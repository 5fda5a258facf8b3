"""Two adjudicators never decide the same dispute: leases, changes in the meantime, and races."""

import re
import threading
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotator.gold import build_rows
from annotator.gold.build import build_gold
from annotator.gold.services import leases
from annotator.gold.services.adjudication import Decision, DecisionMethod, JudgementsChanged, decide
from annotator.gold.services.leases import LeaseLost, acquire_lease
from annotator.models import AdjudicationLease, GoldRecord, Judgement, Role
from profiles.attributes import Attribute
from tests.annotator.accounts.sign_in_forms import actions
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.gold.builds import disputed, disputes_of, gold_of
from tests.annotator.gold.disputes import accept, at, built, judgement, seen, text, write
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_ben(db):
    client = Client()
    client.force_login(make_annotator("ben", roles=[Role.ADMIN]))
    return client


def test_whoever_comes_second_reads_and_is_told_who_was_first(as_grace, as_ben):
    profile = built("27", "60")
    as_grace.get(at(profile))
    page = text(as_ben.get(at(profile)))
    assert "Grace" in page
    assert "Accept A" not in page
    assert "27" in page


def test_saving_without_the_lease_is_refused_and_keeps_what_was_typed(as_grace, as_ben):
    profile = built("27", "60")
    as_grace.get(at(profile))
    response = write(as_ben, profile, value="40", reason="words of ben")
    assert response.status_code == 409
    assert "words of ben" in text(response)
    assert gold_of(profile) == {}


def test_a_lease_ends_five_minutes_after_its_last_sign_of_life(as_grace, as_ben):
    profile = built("27", "60")
    as_grace.get(at(profile))
    AdjudicationLease.objects.update(held_at=timezone.now() - timedelta(minutes=5, seconds=1))
    assert "Accept A" in text(as_ben.get(at(profile)))
    assert as_grace.post(at(profile, "renew")).status_code == 200
    assert "message-warning" in text(as_grace.post(at(profile, "renew")))


def test_an_open_page_renews_its_lease(as_grace):
    profile = built("27", "60")
    assert f'hx-post="{at(profile, "renew")}" hx-trigger="every 60s"' in text(as_grace.get(at(profile)))
    old = timezone.now() - timedelta(minutes=4)
    AdjudicationLease.objects.update(held_at=old)
    assert as_grace.post(at(profile, "renew")).status_code == 204
    assert AdjudicationLease.objects.get().held_at > old


def test_refuses_a_decision_on_what_has_changed_since(as_grace):
    profile = built("27", "60")
    as_grace.get(at(profile))
    before = seen(profile)
    Judgement.objects.filter(value="27").update(value="28")
    response = write(as_grace, profile, value="40", seen=before, reason="typed words")
    assert response.status_code == 409
    assert "typed words" in text(response)
    assert gold_of(profile) == {}
    fresh = re.search(r'name="seen" value="(\w+)"', text(response))[1]
    assert write(as_grace, profile, value="40", seen=fresh).status_code == 302


def test_refuses_to_decide_what_another_decided_since(as_grace, grace):
    profile = built("27", "60")
    as_grace.get(at(profile))
    before = seen(profile)
    accept(as_grace, profile, "60")
    acquire_lease(profile, grace)
    assert accept(as_grace, profile, "27", seen=before).status_code == 409
    assert gold_of(profile)["age"][0] == "60"


def test_a_double_key_decides_once(as_grace):
    profile = built("27", "60")
    as_grace.get(at(profile))
    payload = {"how": "accept", "seen": seen(profile), "judgement": judgement("60")}
    as_grace.post(at(profile, "age"), payload)
    as_grace.post(at(profile, "age"), payload)
    assert actions().count("gold_decided") == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_open_a_profile_at_the_same_moment_one_has_it(monkeypatch):
    profile = built("27", "60")
    people = [make_annotator(roles=[Role.ADMIN]) for _ in range(2)]
    both_looked, look = threading.Barrier(2, timeout=10), leases._current_lease
    waits = threading.local()

    def look_together(profile):
        seen = look(profile)
        if not getattr(waits, "done", False):
            waits.done = True
            both_looked.wait()
        return seen

    monkeypatch.setattr(leases, "_current_lease", look_together)
    acquired = in_threads(*(lambda who=who: acquire_lease(profile, who) for who in people))
    assert sorted(lease.is_mine for lease in acquired) == [False, True]
    holder = AdjudicationLease.objects.get().held_by
    assert {lease.holder for lease in acquired} == {holder}


@pytest.mark.django_db(transaction=True)
def test_of_two_decisions_at_the_same_moment_one_counts(grace):
    """Two tabs of one adjudicator: the second waits for the first, and then sees that it is decided."""
    profile = built("27", "60")
    acquire_lease(profile, grace)
    before, ready = seen(profile), threading.Barrier(2, timeout=10)

    def press(value):
        choice = Decision(DecisionMethod.ACCEPT, before, judgement=Judgement.objects.get(value=value).pk)
        ready.wait()
        return decide(profile, Attribute.AGE, choice, by=grace)

    results = in_threads(lambda: press("27"), lambda: press("60"))
    assert {type(result) for result in results} == {GoldRecord, JudgementsChanged}
    assert GoldRecord.objects.count() == 1


def test_the_database_refuses_a_decision_of_nobody(grace):
    profile = built("27", "60")
    with pytest.raises(LeaseLost):
        decide(profile, Attribute.AGE, Decision(DecisionMethod.ACCEPT, seen(profile), judgement("27")), by=grace)
    acquire_lease(profile, grace)
    with pytest.raises(JudgementsChanged):
        decide(profile, Attribute.AGE, Decision(DecisionMethod.ACCEPT, seen(profile), 10**9), by=grace)
    with pytest.raises(JudgementsChanged):
        decide(profile, Attribute.AGE, Decision(DecisionMethod.KEEP, seen(profile)), by=grace)


@pytest.mark.django_db(transaction=True)
def test_a_run_at_the_same_moment_brings_no_decided_dispute_back(grace, monkeypatch):
    """The run has read what was said and not yet written: the decision waits for it."""
    profile = disputed("27", "60")
    acquire_lease(profile, grace)
    choice = Decision(DecisionMethod.ACCEPT, seen(profile), judgement=judgement("60"))
    has_read, is_decided, write_rows = threading.Event(), threading.Event(), build_rows._write

    def write_later(*args):
        has_read.set()
        is_decided.wait(0.5)
        return write_rows(*args)

    def press():
        has_read.wait(10)
        decide(profile, Attribute.AGE, choice, by=grace)
        is_decided.set()

    monkeypatch.setattr(build_rows, "_write", write_later)
    assert in_threads(lambda: build_gold(profile.corpus) and None, press) == [None, None]
    assert gold_of(profile)["age"][3] == "adjudicated"
    assert disputes_of(profile) == {}
