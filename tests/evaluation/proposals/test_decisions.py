"""Decisions about proposals: they make hints, the first one stands, and they can be undone."""

import threading

import pytest
from django.utils import timezone

from annotator.models import AuditEntry
from evaluation.models import SubredditProposal
from evaluation.proposals.services import decisions
from evaluation.proposals.services.decisions import (
    HintChanged,
    accept_certain,
    accept_proposal,
    reject_proposal,
    undo_decision,
)
from profiles.models import AttributeHint, Subreddit
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.corpora.hint_lists import hint_rows, make_hint
from tests.evaluation.proposals.searches import make_proposal, make_proposals
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db
Decision = SubredditProposal.Decision


def entries():
    return list(
        AuditEntry.objects.filter(action="hints_changed").order_by("pk").values_list("actor__username", "details")
    )


def test_accepting_adds_the_hint_and_the_subreddit(grace):
    proposal = make_proposal("London", value="London / England", reason="the city")
    result = accept_proposal(proposal.pk, by=grace)
    proposal.refresh_from_db()
    assert result.is_changed
    assert hint_rows() == [("London", "location", "london / england", "the city")]
    assert (proposal.decision, proposal.decided_by) == (Decision.ACCEPTED, grace)
    assert proposal.decided_at
    assert proposal.hint == AttributeHint.objects.get()
    assert entries() == [("grace", {"added": 1, "hint": proposal.hint_id})]


def test_accepting_uses_the_subreddit_that_is_there_in_any_case():
    Subreddit.objects.create(name="LONDON")
    accept_proposal(make_proposal("london").pk)
    assert hint_rows() == [("LONDON", "location", "london", "because")]


def test_a_hint_that_is_there_already_is_linked_and_stays(grace):
    hint = make_hint("LONDON", value="london", reason="by hand")
    proposal = make_proposal("london")
    accept_proposal(proposal.pk, by=grace)
    proposal.refresh_from_db()
    assert (proposal.hint, proposal.hint_is_new) == (hint, False)
    assert hint_rows() == [("LONDON", "location", "london", "by hand")]
    assert entries() == []
    undo_decision(proposal.pk, by=grace)
    assert hint_rows() == [("LONDON", "location", "london", "by hand")]


@pytest.mark.parametrize("reason", ["x" * 1000, "a long story " * 40])
def test_a_long_reason_is_cut(reason):
    accept_proposal(make_proposal(reason=reason).pk)
    hint = AttributeHint.objects.get()
    assert 150 < len(hint.reason) <= 200
    assert hint.reason.endswith("…")


def test_rejecting_adds_nothing(grace):
    proposal = make_proposal()
    reject_proposal(proposal.pk, by=grace)
    proposal.refresh_from_db()
    assert (proposal.decision, proposal.decided_by) == (Decision.REJECTED, grace)
    assert not AttributeHint.objects.exists()


def test_the_first_decision_stands(grace):
    proposal, other = make_proposal(), make_annotator("hedy")
    reject_proposal(proposal.pk, by=grace)
    result = accept_proposal(proposal.pk, by=other)
    assert not result.is_changed
    assert (result.proposal.decision, result.proposal.decided_by) == (Decision.REJECTED, grace)
    assert not reject_proposal(proposal.pk, by=other).is_changed
    assert not AttributeHint.objects.exists()


def test_undoing_opens_it_again_and_removes_the_hint(grace):
    proposal = make_proposal()
    accept_proposal(proposal.pk, by=grace)
    assert undo_decision(proposal.pk, by=grace).is_changed
    proposal.refresh_from_db()
    assert (proposal.decision, proposal.decided_by, proposal.decided_at) == (Decision.OPEN, None, None)
    assert not AttributeHint.objects.exists()
    assert [details.keys() for _, details in entries()] == [{"added", "hint"}, {"removed", "hint"}]
    assert not undo_decision(proposal.pk, by=grace).is_changed


def test_a_rejection_is_undone():
    proposal = make_proposal()
    reject_proposal(proposal.pk)
    undo_decision(proposal.pk)
    assert accept_proposal(proposal.pk).is_changed


@pytest.mark.parametrize("changes", [{"reason": "better"}, {"value": "england"}, {"attribute": "place_of_birth"}])
def test_a_hint_that_somebody_changed_is_not_removed(changes):
    proposal = make_proposal()
    accept_proposal(proposal.pk)
    AttributeHint.objects.update(**changes)
    with pytest.raises(HintChanged):
        undo_decision(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.decision == Decision.ACCEPTED
    assert AttributeHint.objects.count() == 1


def test_a_decision_whose_hint_was_removed_is_undone():
    proposal = make_proposal()
    accept_proposal(proposal.pk)
    AttributeHint.objects.all().delete()
    assert undo_decision(proposal.pk).is_changed


def test_a_hint_goes_with_the_last_proposal_that_relies_on_it():
    first, second = make_proposal(), make_proposal()
    for proposal in (first, second):
        accept_proposal(proposal.pk)
    undo_decision(first.pk)
    assert AttributeHint.objects.count() == 1
    undo_decision(second.pk)
    assert not AttributeHint.objects.exists()


def test_accepts_all_certain_ones_that_are_open(grace):
    proposals = make_proposals("london", "AskUK", "europe", "uk", certain=["london", "AskUK", "uk"])
    reject_proposal(proposals[1].pk, by=grace)
    assert accept_certain(proposals[0].search, by=grace) == 2
    assert [row[0] for row in hint_rows()] == ["london", "uk"]
    assert accept_certain(proposals[0].search, by=grace) == 0
    assert len(entries()) == 2


# ── At the same moment ──────────────────────────────────────────────────────


@pytest.fixture
def at_once(monkeypatch):
    """Two calls that meet before each locks its proposal."""
    ready, lock = threading.Barrier(2, timeout=10), decisions._lock

    def wait_and_lock(proposal_id):
        ready.wait()
        return lock(proposal_id)

    monkeypatch.setattr(decisions, "_lock", wait_and_lock)


@pytest.mark.django_db(transaction=True)
def test_of_two_decisions_at_the_same_moment_one_stands(at_once):
    proposal, (ada, bob) = make_proposal(), (make_annotator(), make_annotator())
    results = in_threads(
        lambda: accept_proposal(proposal.pk, by=ada),
        lambda: reject_proposal(proposal.pk, by=bob),
    )
    assert sorted(result.is_changed for result in results) == [False, True]
    assert len({result.proposal.decision for result in results}) == 1
    proposal.refresh_from_db()
    assert AttributeHint.objects.count() == (proposal.decision == Decision.ACCEPTED)


@pytest.mark.django_db(transaction=True)
def test_a_double_click_adds_one_hint(at_once):
    proposal = make_proposal()
    results = in_threads(*[lambda: accept_proposal(proposal.pk)] * 2)
    assert sorted(result.is_changed for result in results) == [False, True]
    assert AttributeHint.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_searches_that_add_the_same_hint_share_it(monkeypatch):
    first, second = make_proposal(), make_proposal()
    ready, find = threading.Barrier(2, timeout=10), decisions._find_hint

    def find_and_wait(row):
        hint = find(row)
        ready.wait()
        return hint

    monkeypatch.setattr(decisions, "_find_hint", find_and_wait)
    in_threads(lambda: accept_proposal(first.pk), lambda: accept_proposal(second.pk))
    for proposal in (first, second):
        proposal.refresh_from_db()
    assert AttributeHint.objects.count() == 1
    assert first.hint == second.hint
    assert sorted([first.hint_is_new, second.hint_is_new]) == [False, True]


@pytest.mark.django_db(transaction=True)
def test_undoing_while_another_search_links_the_hint_loses_nothing(at_once):
    first, second = make_proposal(), make_proposal()
    hint = make_hint("london", value="london", reason="because")
    SubredditProposal.objects.filter(pk=first.pk).update(
        decision=Decision.ACCEPTED, decided_at=timezone.now(), hint=hint, hint_is_new=True
    )
    results = in_threads(lambda: undo_decision(first.pk), lambda: accept_proposal(second.pk))
    assert [result.is_changed for result in results] == [True, True]
    second.refresh_from_db()
    assert second.hint == AttributeHint.objects.get()
    assert second.hint_is_new
