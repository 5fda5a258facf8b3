"""Saving cards, counting time, skipping and flagging: what is saved, and what is refused."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from annotator.core.evidence import EvidenceSpan
from annotator.labelling.cards import Card
from annotator.labelling.services import (
    EVIDENCE_GONE,
    NOT_WRITABLE,
    SUBMITTED_BEFORE,
    AssignmentClosed,
    ChangedElsewhere,
    NotInTheComment,
    count_time,
    flag,
    save_card,
    skip_assignment,
)
from annotator.labelling.submission import reopen_assignment, submit_assignment
from annotator.models import AuditEntry, Flag, Sitting, SkipReason
from profiles.attributes import Attribute
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.labelling.forms import OSLO, drafted, quote
from tests.factories import make_assignment, make_batch, make_profile

pytestmark = pytest.mark.django_db
PLACE = Attribute.LOCATION


@pytest.fixture
def held(ada):
    return make_assignment(annotator=ada, profile=make_profile("I live in Oslo"))


def test_a_card_is_kept_as_it_was_typed(held):
    draft = save_card(held, PLACE, Card("  Oslo, I think ", hardness=0, certainty=3, note="?"), based_on=0)
    assert (draft.value, draft.hardness, draft.certainty, draft.note) == ("  Oslo, I think ", 0, 3, "?")
    assert draft.version == 1


def test_each_change_is_a_new_version_and_the_same_again_is_none(held):
    save_card(held, PLACE, OSLO, based_on=0)
    assert save_card(held, PLACE, OSLO, based_on=0).version == 1
    assert save_card(held, PLACE, Card("bergen", 2, 3), based_on=1).version == 2
    assert held.drafts.count() == 1


@pytest.mark.parametrize("based_on", [0, 2, 99])
def test_what_another_tab_changed_is_not_overwritten(held, based_on):
    save_card(held, PLACE, OSLO, based_on=0)
    with pytest.raises(ChangedElsewhere) as refusal:
        save_card(held, PLACE, Card("bergen"), based_on=based_on)
    assert refusal.value.draft.value == "Oslo"
    assert drafted(held).value == "Oslo"


@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_save_at_once_do_not_both_win(held, monkeypatch):
    """The lock on the assignment: without it both would find no draft, and one would fail or overwrite."""
    first, second = in_threads(
        lambda: save_card(held, PLACE, OSLO, based_on=0), lambda: save_card(held, PLACE, Card("bergen"), based_on=0)
    )
    assert {type(first).__name__, type(second).__name__} == {"Draft", "ChangedElsewhere"}


def test_different_cards_do_not_get_in_each_others_way(held):
    save_card(held, PLACE, OSLO, based_on=0)
    assert save_card(held, Attribute.AGE, Card("27", 1, 5), based_on=0).version == 1


def test_evidence_is_kept_with_its_words_once_and_in_order(held):
    comment = held.profile.comments.get()
    oslo, live = quote(comment, "Oslo"), quote(comment, "live in")
    draft = save_card(held, PLACE, Card("oslo", 1, 5, evidence=(oslo, live, oslo)), based_on=0)
    assert [span["text"] for span in draft.evidence] == ["live in", "Oslo"]


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [(10, 14, "Olso"), (10, 15, "Oslo"), (11, 15, "Oslo"), (99, 103, "Oslo"), (14, 10, "Oslo")],
)
def test_words_that_do_not_stand_there_are_refused_and_nothing_is_kept(held, start, end, text):
    wrong = EvidenceSpan(start, end, held.profile.comments.get().pk, text)
    with pytest.raises(NotInTheComment, match=EVIDENCE_GONE):
        save_card(held, PLACE, Card("oslo", 1, 5, evidence=(wrong,)), based_on=0)
    assert not held.drafts.exists()


def test_evidence_from_another_profile_is_refused(held):
    stranger = quote(make_profile("I live in Oslo").comments.get(), "Oslo")
    with pytest.raises(NotInTheComment):
        save_card(held, PLACE, Card("oslo", 1, 5, evidence=(stranger,)), based_on=0)


@pytest.mark.parametrize("n", [1, 40])
def test_saving_costs_the_same_however_much_evidence_there_is(held, django_assert_num_queries, n):
    comment = held.profile.comments.get()
    quotes = tuple(EvidenceSpan(0, end, comment.pk, comment.body[:end]) for end in range(1, min(n, 14) + 1))
    with django_assert_num_queries(5):  # begin, lock, bodies, write, end
        save_card(held, PLACE, Card("oslo", 1, 5, evidence=quotes), based_on=0)


def ended(how, held):
    if how == "closed":
        held.batch.closed_at = timezone.now()
        held.batch.save(update_fields=["closed_at"])
    elif how == "submitted":
        submit_assignment(held, nothing=True)
    else:
        skip_assignment(held, SkipReason.BOT)


@pytest.mark.parametrize("how", ["closed", "submitted", "skipped"])
def test_nothing_can_be_written_once_it_is_over(held, how):
    ended(how, held)
    with pytest.raises(AssignmentClosed, match=NOT_WRITABLE):
        save_card(held, PLACE, OSLO, based_on=0)
    with pytest.raises(AssignmentClosed):
        skip_assignment(held, SkipReason.BOT)


def test_what_nobody_holds_cannot_be_labelled():
    with pytest.raises(AssignmentClosed):
        save_card(make_assignment(), PLACE, OSLO, based_on=0)


def test_a_batch_that_has_not_begun_cannot_be_labelled(ada):
    batch = make_batch()
    type(batch).objects.filter(pk=batch.pk).update(started_at=None)
    with pytest.raises(AssignmentClosed):
        save_card(make_assignment(annotator=ada, batch=batch), PLACE, OSLO, based_on=0)


def test_skipping_keeps_the_reason_the_remark_and_the_cards(held):
    save_card(held, PLACE, OSLO, based_on=0)
    skip_assignment(held, SkipReason.OTHER, remark="All of it is song lyrics.")
    held.refresh_from_db()
    assert (held.skip_reason, held.skip_remark) == ("other", "All of it is song lyrics.")
    assert held.drafts.exists()
    assert AuditEntry.objects.get().details == {"assignment": held.pk, "reason": "other"}


def test_what_was_submitted_once_is_not_skipped_when_it_is_reopened(held):
    submit_assignment(held, nothing=True)
    reopen_assignment(held)
    with pytest.raises(AssignmentClosed, match=SUBMITTED_BEFORE):
        skip_assignment(held, SkipReason.BOT)


def test_flagging_twice_leaves_one_flag(held):
    comment = held.profile.comments.get()
    for _ in range(2):
        flag(held, "Names a child.", comment=comment.pk)
    assert [(flag.comment, flag.remark) for flag in Flag.objects.all()] == [(comment, "Names a child.")]
    assert AuditEntry.objects.count() == 1


def test_a_comment_of_another_profile_cannot_be_flagged(held):
    with pytest.raises(NotInTheComment):
        flag(held, "?", comment=make_profile("elsewhere").comments.get().pk)
    assert not Flag.objects.exists()


# ── Time ─────────────────────────────────────────────────────────────────────
def began(held, seconds):
    key = uuid4()
    Sitting.objects.create(
        assignment=held, key=key, began_at=timezone.now() - timedelta(seconds=seconds), last_at=timezone.now()
    )
    return key


def test_telling_the_same_time_twice_adds_nothing(held):
    key = began(held, 600)
    for _ in range(2):
        count_time(held, key, 120, {"location": 30})
    kept = held.sittings.get()
    assert (kept.active_seconds, kept.card_seconds) == (120, {"location": 30})


def test_time_never_goes_back(held):
    key = began(held, 600)
    count_time(held, key, 120, {"age": 9})
    count_time(held, key, 60, {"age": 2})
    assert (held.sittings.get().active_seconds, held.sittings.get().card_seconds) == (120, {"age": 9})


def test_time_never_runs_faster_than_the_clock(held):
    key = began(held, 100)
    count_time(held, key, 5000, {"age": 5000})
    assert 100 <= held.sittings.get().active_seconds <= 110
    count_time(held, other := uuid4(), 5000, {})
    assert held.sittings.get(key=other).active_seconds <= 5
    submit_assignment(held, nothing=True)
    assert 100 <= held.judgements.get(attribute="age").active_seconds <= 110
