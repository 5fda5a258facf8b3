"""Undo a decision: what stood before stands again, once, and for whoever has the profile."""

import re
import threading
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotator.batches.lifecycle import close
from annotator.gold.build import build_gold
from annotator.gold.queries.adjudication import UNDO_OFFERED_FOR, last_decision
from annotator.gold.queries.cited_comments import LETTERS
from annotator.gold.services.adjudication import Decision, DecisionMethod, decide
from annotator.gold.services.leases import LeaseLost, acquire_lease
from annotator.gold.services.undo import DecisionChanged, undo_decision
from annotator.models import AdjudicationLease, GoldRecord, Judgement, Role
from profiles.attributes import Attribute
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.gold.builds import disputes_of, gold_of
from tests.annotator.gold.disputes import accept, at, built, judgement, seen, text, write
from tests.factories import make_annotator, make_assignment, make_batch

pytestmark = pytest.mark.django_db
QUEUE = "/adjudication/"
DECISIONS = f"{QUEUE}decisions/"


@pytest.fixture
def ben(db):
    return make_annotator("ben", roles=[Role.ADMIN])


@pytest.fixture
def as_ben(ben):
    client = Client()
    client.force_login(ben)
    return client


def token(profile) -> str:
    return GoldRecord.objects.get(profile=profile, attribute="age").decision_token


def undo(client, profile, **fields):
    return client.post(at(profile, "age", "undo"), {"decision": token(profile)} | fields)


def offered(response) -> list[str]:
    """The addresses of the undo forms on a page."""
    return re.findall(r'action="([^"?]+/undo/)', text(response))


def decided(client, profile, value):
    client.get(at(profile))
    response = accept(client, profile, value)
    assert response.status_code == 302
    return response


# ── What stands afterwards ──────────────────────────────────────────────────
def test_the_dispute_is_back_and_the_record_gone(as_grace, grace):
    profile = built("27", "60")
    decided(as_grace, profile, "60")
    gold = GoldRecord.objects.get().pk
    response = undo(as_grace, profile)
    assert response.url == f"{at(profile)}?#age"
    assert (gold_of(profile), disputes_of(profile)) == ({}, {"age": "value"})
    assert entry("gold_decided").actor == grace
    assert entry("gold_decided").details == {
        "profile": profile.pk, "gold": gold, "attribute": "age", "how": "undo",
    }  # fmt: skip


def test_it_can_be_decided_again(as_grace):
    profile = built("27", "60")
    for value in ("60", "27"):
        decided(as_grace, profile, value)
        undo(as_grace, profile)
    decided(as_grace, profile, "60")
    assert gold_of(profile)["age"][0] == "60"


def test_an_earlier_decision_is_back_with_its_reason_and_its_author(as_grace, as_ben, ben):
    profile = built("27", "60")
    as_ben.get(at(profile))
    write(as_ben, profile, value="40", reason="words of ben")
    before = GoldRecord.objects.values().get()
    AdjudicationLease.objects.all().delete()
    for value in ("27", "60"):
        decided(as_grace, profile, value)
    undo(as_grace, profile)
    assert gold_of(profile)["age"][0] == "27"
    undo(as_grace, profile)
    assert GoldRecord.objects.values().get() == before
    undo(as_grace, profile)
    assert (gold_of(profile), disputes_of(profile)) == ({}, {"age": "value"})


def test_what_was_agreed_is_agreed_again(as_grace):
    profile = built("27", "27")
    before = gold_of(profile)
    as_grace.get(at(profile))
    write(as_grace, profile, value="30")
    undo(as_grace, profile)
    assert (gold_of(profile), disputes_of(profile)) == (before, {})


def test_what_was_kept_is_in_question_again(as_grace):
    profile = built("27", "60")
    decided(as_grace, profile, "60")
    Judgement.objects.filter(value="27").update(value="28")
    build_gold(profile.corpus, everything=True)
    as_grace.get(at(profile))
    as_grace.post(at(profile, "age"), {"how": "keep", "seen": seen(profile)})
    undo(as_grace, profile)
    assert (gold_of(profile)["age"][0], disputes_of(profile)) == ("60", {"age": "changed"})


def test_a_full_build_changes_nothing_afterwards(as_grace):
    profile = built("27", "60")
    decided(as_grace, profile, "60")
    undo(as_grace, profile)
    build_gold(profile.corpus, everything=True)
    assert (gold_of(profile), disputes_of(profile)) == ({}, {"age": "value"})


def wait(profile):
    """Somebody else is to judge the profile."""
    batch = make_batch(corpus=profile.corpus)
    make_assignment(profile=profile, batch=batch, claimed_at=None)
    return batch


def test_it_can_be_decided_again_while_somebody_is_still_to_judge_the_profile(as_grace):
    profile = built("27", "60")
    decided(as_grace, profile, "60")
    batch = wait(profile)
    undo(as_grace, profile)
    assert (gold_of(profile), disputes_of(profile)) == ({}, {"age": "value"})
    close(batch)
    build_gold(profile.corpus)
    assert disputes_of(profile) == {"age": "value"}
    decided(as_grace, profile, "27")
    assert gold_of(profile)["age"][0] == "27"


def test_what_was_agreed_before_people_changed_their_minds_does_not_stay(as_grace):
    """The agreement of old stands while the profile waits. The build after that looks at it, though nothing is new."""
    profile = built("27", "27")
    as_grace.get(at(profile))
    write(as_grace, profile, value="30")
    Judgement.objects.filter(pk=Judgement.objects.last().pk).update(value="60")
    build_gold(profile.corpus, everything=True)
    batch = wait(profile)
    undo(as_grace, profile)
    close(batch)
    build_gold(profile.corpus)
    assert (gold_of(profile), disputes_of(profile)) == ({}, {"age": "value"})


# ── Where it is offered ─────────────────────────────────────────────────────
def test_the_next_profile_offers_it_and_it_leads_back(as_grace, grace):
    first, second = built("20", "60"), built("20-40", "30")
    here = decided(as_grace, first, "60").url
    assert here.startswith(at(second))
    assert offered(as_grace.get(here)) == [at(first, "age", "undo")]
    assert undo(as_grace, first, left=second.pk).url.startswith(at(first))
    assert AdjudicationLease.objects.get().profile == first
    assert offered(as_grace.get(at(first))) == []


def test_the_queue_offers_it_after_the_last_one(as_grace):
    profile = built("27", "60")
    assert decided(as_grace, profile, "60").url.startswith(QUEUE)
    assert offered(as_grace.get(QUEUE)) == [at(profile, "age", "undo")]
    undo(as_grace, profile)
    assert offered(as_grace.get(QUEUE)) == []


def test_only_one_s_own_and_recent_decision_is_offered_elsewhere(as_grace, as_ben, grace):
    profile = built("27", "60")
    decided(as_grace, profile, "60")
    assert offered(as_ben.get(QUEUE)) == []
    assert last_decision(grace).profile == profile
    GoldRecord.objects.update(decided_at=timezone.now() - UNDO_OFFERED_FOR - timedelta(seconds=1))
    assert last_decision(grace) is None
    assert offered(as_grace.get(at(profile))) == [at(profile, "age", "undo")]  # on its own page, always


def test_the_list_of_decisions_offers_those_of_others_and_older_ones(as_grace, as_ben):
    profile = built("27", "60")
    assert offered(as_ben.get(DECISIONS)) == []
    decided(as_grace, profile, "60")
    GoldRecord.objects.update(decided_at=timezone.now() - timedelta(days=9))
    assert offered(as_ben.get(DECISIONS)) == [at(profile, "age", "undo")]
    assert undo(as_ben, profile).url == f"{at(profile)}?#age"
    assert disputes_of(profile) == {"age": "value"}
    assert offered(as_ben.get(DECISIONS)) == []
    assert actions().count("gold_decided") == 2  # both are on record


@pytest.mark.parametrize("count", [1, 4])
def test_the_list_needs_as_many_queries_for_any_number(as_grace, count, django_assert_num_queries):
    for _ in range(count):
        profile = built("27", "60")
        as_grace.get(at(profile))
        write(as_grace, profile, value="40")
    with django_assert_num_queries(3):
        response = as_grace.get(DECISIONS)
    assert len(offered(response)) == count


def test_whoever_only_reads_the_profile_is_not_offered_it(as_grace, as_ben):
    profile = built("27", "60")
    decided(as_grace, profile, "60")
    as_grace.get(at(profile))
    assert offered(as_ben.get(at(profile))) == []


def test_its_key_is_nobody_s_letter():
    assert "U" not in LETTERS


# ── Two tabs, two people ────────────────────────────────────────────────────
def test_a_second_tab_undoes_nothing_that_was_decided_since(as_grace):
    profile, other = built("27", "60"), built("20-40", "30")
    decided(as_grace, profile, "60")
    outdated = token(profile)
    undo(as_grace, profile)
    decided(as_grace, profile, "27")
    response = as_grace.post(at(profile, "age", "undo"), {"decision": outdated, "left": other.pk}, follow=True)
    assert response.request["PATH_INFO"] == at(other)
    assert "message-error" in text(response)
    assert gold_of(profile)["age"][0] == "27"
    assert not AdjudicationLease.objects.filter(profile=profile).exists()


def test_a_double_key_undoes_once(as_grace):
    profile = built("27", "60")
    decided(as_grace, profile, "60")
    payload = {"decision": token(profile)}
    for _ in range(2):
        assert as_grace.post(at(profile, "age", "undo"), payload).status_code == 302
    assert actions().count("gold_decided") == 2  # decided, and undone


def test_what_another_has_open_is_not_undone(as_grace, as_ben, ben):
    profile = built("27", "60")
    decided(as_grace, profile, "60")
    as_ben.get(at(profile))
    undo(as_grace, profile)
    assert gold_of(profile)["age"][0] == "60"
    assert AdjudicationLease.objects.get().held_by == ben


def test_a_refusal_leaves_a_profile_open_that_was_open_before(as_grace, grace):
    profile, other = built("27", "60"), built("20-40", "30")
    decided(as_grace, profile, "60")
    acquire_lease(profile, grace)
    as_grace.post(at(profile, "age", "undo"), {"decision": "something else", "left": other.pk})
    assert AdjudicationLease.objects.filter(profile=profile, held_by=grace).exists()


@pytest.mark.parametrize("fields", [{}, {"decision": ""}, {"decision": "x" * 5000}, {"left": "9" * 5000}])
def test_takes_no_nonsense(as_grace, fields):
    profile = built("27", "60")
    decided(as_grace, profile, "60")
    assert as_grace.post(at(profile, "age", "undo"), fields).status_code == 302
    assert gold_of(profile)["age"][0] == "60"
    assert as_grace.post(at(profile, "shoe_size", "undo"), fields).status_code == 404


def test_the_service_asks_for_lease_and_decision(grace):
    profile = built("27", "60")
    acquire_lease(profile, grace)
    decide(profile, Attribute.AGE, Decision(DecisionMethod.ACCEPT, seen(profile), judgement("27")), by=grace)
    with pytest.raises(DecisionChanged):
        undo_decision(profile, Attribute.SEX, token=token(profile), by=grace)
    AdjudicationLease.objects.all().delete()
    with pytest.raises(LeaseLost):
        undo_decision(profile, Attribute.AGE, token=token(profile), by=grace)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_undo_at_the_same_moment_one_is_told(grace):
    profile = built("27", "60")
    acquire_lease(profile, grace)
    decide(profile, Attribute.AGE, Decision(DecisionMethod.ACCEPT, seen(profile), judgement("27")), by=grace)
    before, ready = token(profile), threading.Barrier(2, timeout=10)

    def press():
        ready.wait()
        return undo_decision(profile, Attribute.AGE, token=before, by=grace)

    assert {type(result) for result in in_threads(press, press)} == {type(None), DecisionChanged}
    assert actions().count("gold_decided") == 2
    assert disputes_of(profile) == {"age": "value"}
