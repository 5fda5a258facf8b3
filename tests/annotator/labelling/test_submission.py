"""Submitting and reopening a profile: every version is kept, and incomplete answers are refused."""

import re
from datetime import timedelta
from uuid import uuid4

import pghistory
import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from annotator.core.evidence import EvidenceSpan
from annotator.labelling.cards import NO_VALUE, Card
from annotator.labelling.queries import work_state
from annotator.labelling.services import AssignmentClosed, ChangedElsewhere, save_card
from annotator.labelling.submission import (
    NOT_REOPENED,
    NOTHING_INFERRED,
    STALE_EVIDENCE,
    Incomplete,
    NothingInferred,
    reopen_assignment,
    submit_assignment,
)
from annotator.models import Assignment, Draft, Evidence, Judgement, Sitting, Submission
from profiles.attributes import Attribute
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.labelling.forms import OSLO, quote
from tests.factories import make_assignment, make_profile

pytestmark = pytest.mark.django_db
PLACE = Attribute.LOCATION


@pytest.fixture
def held(ada):
    return make_assignment(annotator=ada, profile=make_profile("I live in Oslo"))


def judged(assignment):
    return {j.attribute: (j.value, j.hardness, j.certainty) for j in assignment.judgements.exclude(value="")}


def test_what_was_said_becomes_eight_judgements(held):
    save_card(held, PLACE, OSLO, based_on=0)
    submit_assignment(held)
    assert judged(held) == {"location": ("oslo", 1, 5)}
    assert held.judgements.count() == 8
    held.refresh_from_db()
    assert held.submitted_at is not None


def test_the_history_says_who_submitted(held, ada):
    save_card(held, PLACE, OSLO, based_on=0)
    with pghistory.context(person=str(ada.pk)) as history:
        submit_assignment(held)
    events = [
        *Judgement.pgh_event_model.objects.filter(assignment=held.pk),
        Assignment.pgh_event_model.objects.filter(pgh_obj_id=held.pk).latest("pgh_id"),
    ]
    assert len(events) == 9
    assert {(event.pgh_context["person"], event.pgh_context_id) for event in events} == {(str(ada.pk), history.id)}


def test_a_place_that_the_gazetteer_knows_keeps_its_number(held):
    save_card(held, PLACE, Card("Oslo / Norway", 1, 5), based_on=0)
    save_card(held, Attribute.PLACE_OF_BIRTH, Card("the old mill", 1, 2), based_on=0)
    submit_assignment(held)
    numbers = dict(held.judgements.values_list("attribute", "geoname_id"))
    assert numbers["location"] == 3143244
    assert numbers["place_of_birth"] is None


def test_evidence_is_sealed_with_its_judgement(held):
    words = quote(held.profile.comments.get(), "Oslo")
    save_card(held, PLACE, Card("oslo", 1, 5, evidence=(words,)), based_on=0)
    submit_assignment(held)
    sealed = Evidence.objects.get()
    assert (sealed.judgement.attribute, sealed.start, sealed.end, sealed.text) == ("location", 10, 14, "Oslo")


@pytest.mark.parametrize(
    ("attribute", "card", "words"),
    [
        ("location", Card("oslo"), "Add hardness and certainty from"),
        ("location", Card("oslo", 2), "Add certainty from"),
        ("location", Card("oslo", 0, 2), "Add hardness from"),
        ("location", Card("", 2, 2), NO_VALUE),
        ("location", Card("", required_subreddit=True), NO_VALUE),
        ("age", Card("30+", 2, 2), "30-40"),
        ("age", Card("twenties", 2, 2), "20-29"),
        ("income", Card("lots", 2, 2), "low"),
    ],
)
def test_what_is_half_said_is_not_sealed(held, attribute, card, words):
    save_card(held, Attribute.SEX, Card("male", 1, 5), based_on=0)
    save_card(held, Attribute(attribute), card, based_on=0)
    with pytest.raises(Incomplete) as refusal:
        submit_assignment(held)
    assert list(refusal.value.problems) == [attribute]
    assert words in refusal.value.problems[Attribute(attribute)]
    assert not Judgement.objects.exists()
    assert held.drafts.count() == 2


def test_an_empty_profile_is_sealed_only_when_confirmed(held):
    with pytest.raises(NothingInferred, match=re.escape(NOTHING_INFERRED)):
        submit_assignment(held)
    assert submit_assignment(held, nothing=True).nothing_inferred
    assert judged(held) == {}
    assert held.judgements.count() == 8


def test_a_note_alone_is_no_answer(held):
    save_card(held, PLACE, Card(note="Hm."), based_on=0)
    with pytest.raises(NothingInferred):
        submit_assignment(held)


def test_nobody_seals_what_they_did_not_see(held):
    save_card(held, PLACE, OSLO, based_on=0)
    with pytest.raises(ChangedElsewhere):
        submit_assignment(held, shown_versions={})
    with pytest.raises(ChangedElsewhere):
        submit_assignment(held, shown_versions={"location": 2})
    assert submit_assignment(held, shown_versions={"location": 1}).number == 1


def test_evidence_that_no_longer_matches_is_not_sealed(held):
    gone = {"comment": held.profile.comments.get().pk, "start": 10, "end": 14, "text": "Rome"}
    save_card(held, PLACE, OSLO, based_on=0)
    Draft.objects.update(evidence=[gone])
    with pytest.raises(Incomplete) as refusal:
        submit_assignment(held)
    assert STALE_EVIDENCE in refusal.value.problems[PLACE]
    assert not Judgement.objects.exists()


def test_reopening_keeps_what_was_sealed_until_it_is_sealed_again(held):
    save_card(held, PLACE, OSLO, based_on=0)
    submit_assignment(held)
    reopen_assignment(held)
    save_card(held, PLACE, Card("bergen", 3, 4), based_on=1)
    assert judged(held) == {"location": ("oslo", 1, 5)}
    kept = held.judgements.get(attribute="location").pk
    assert submit_assignment(held).number == 2
    assert judged(held) == {"location": ("bergen", 3, 4)}
    assert held.judgements.get(attribute="location").pk == kept
    values = [
        next(a["value"] for a in s.answers if a["attribute"] == "location") for s in held.submissions.order_by("pk")
    ]
    assert values == ["oslo", "bergen"]


def test_evidence_of_an_earlier_version_goes_with_it(held):
    words = quote(held.profile.comments.get(), "Oslo")
    save_card(held, PLACE, Card("oslo", 1, 5, evidence=(words,)), based_on=0)
    submit_assignment(held)
    reopen_assignment(held)
    save_card(held, PLACE, OSLO, based_on=1)
    submit_assignment(held)
    assert not Evidence.objects.exists()
    assert Submission.objects.get(number=1).answers[0]["evidence"] == [words.as_json()]


def test_a_closed_batch_is_not_reopened(held):
    submit_assignment(held, nothing=True)
    held.batch.closed_at = timezone.now()
    held.batch.save(update_fields=["closed_at"])
    with pytest.raises(AssignmentClosed, match=NOT_REOPENED):
        reopen_assignment(held)


def test_what_was_never_submitted_is_not_reopened(held):
    with pytest.raises(AssignmentClosed):
        reopen_assignment(held)


def test_submitting_twice_is_refused_and_changes_nothing(held):
    submit_assignment(held, nothing=True)
    with pytest.raises(AssignmentClosed):
        submit_assignment(held, nothing=True)
    assert Submission.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_double_click_submits_once(held):
    results = in_threads(*[lambda: submit_assignment(held, nothing=True)] * 2)
    assert sorted(type(result).__name__ for result in results) == ["AssignmentClosed", "Submission"]
    assert Submission.objects.count() == 1


def test_a_submission_is_never_changed(held):
    submit_assignment(held, nothing=True)
    with pytest.raises(Exception, match="submission_never_edited"), connection.cursor() as cursor:
        cursor.execute("UPDATE annotator_submission SET number = 7")


def test_active_time_is_added_up_over_all_sittings(held):
    for seconds in (40, 2):
        Sitting.objects.create(
            assignment=held, key=uuid4(), last_at=timezone.now(), active_seconds=seconds, card_seconds={"age": seconds}
        )
    submit_assignment(held, nothing=True)
    held.refresh_from_db()
    assert held.active_seconds == 42
    assert held.judgements.get(attribute="age").active_seconds == 42
    assert held.submissions.get().active_seconds == 42


@pytest.mark.parametrize("n", [1, 8])
def test_the_cost_does_not_grow_with_the_answers(held, django_assert_num_queries, n):
    words = quote(held.profile.comments.get(), "Oslo")
    values = ["oslo", "male", "27", "clerk", "oslo", "married", "low", "hs"]
    for attribute, value in list(zip(Attribute, values, strict=True))[:n]:
        save_card(held, attribute, Card(value, 1, 5, evidence=(words,)), based_on=0)
    # begin; lock, work, bodies, write, evidence; end
    with django_assert_num_queries(7):
        submit_assignment(held)


def test_the_last_one_is_found_to_go_back_to(held, ada):
    earlier = make_assignment(
        annotator=ada, batch=held.batch, profile=make_profile(corpus=held.profile.corpus),
        submitted_at=timezone.now() - timedelta(hours=1),
    )  # fmt: skip
    assert work_state(held).previous == earlier.pk
    assert work_state(earlier).previous is None


def test_postgres_refuses_a_gazetteer_number_for_what_is_no_place(held):
    submit_assignment(held, nothing=True)
    with pytest.raises(IntegrityError, match="judgement_only_places_are_in_the_gazetteer"):
        Judgement.objects.filter(attribute="age").update(geoname_id=7)


def test_an_empty_quote_has_no_place():
    assert EvidenceSpan(2, 2, 1, "").json == '{"comment": 1, "start": 2, "end": 2, "text": ""}'
