"""Judging, submitting, skipping: what is kept, and what is refused."""

import pytest
from django.db import IntegrityError

from annotator.models import Judgement, SkipReason
from annotator.services.labelling import (
    Answer,
    AssignmentClosed,
    Quote,
    record_judgement,
    skip_assignment,
    submit_assignment,
)
from profiles.attributes import Attribute
from tests.factories import make_assignment, make_judgement, make_profile

pytestmark = pytest.mark.django_db
OSLO = Answer("Oslo ", hardness=1, certainty=5)


def test_keeps_a_judgement_trimmed_and_lower_case(ada):
    judgement = record_judgement(make_assignment(annotator=ada), Attribute.LOCATION, OSLO)
    assert judgement.value == "oslo"


def test_saying_it_twice_leaves_one_judgement_with_the_last_words(ada):
    assignment = make_assignment(annotator=ada)
    record_judgement(assignment, Attribute.LOCATION, OSLO)
    record_judgement(assignment, Attribute.LOCATION, Answer("bergen", 2, 3))
    assert [j.value for j in assignment.judgements.all()] == ["bergen"]


def test_keeps_the_words_it_was_concluded_from(ada):
    profile = make_profile("I live in Oslo")
    assignment, comment = make_assignment(annotator=ada, profile=profile), profile.comments.get()
    judgement = record_judgement(assignment, Attribute.LOCATION, OSLO, quotes=[Quote(comment, 10, 14)])
    assert judgement.evidence.get().text == "Oslo"
    record_judgement(assignment, Attribute.LOCATION, OSLO)
    assert judgement.evidence.count() == 0


def test_keeps_nothing_of_a_judgement_whose_evidence_is_refused(ada):
    assignment, stranger = make_assignment(annotator=ada), make_profile("I live in Oslo").comments.get()
    with pytest.raises(IntegrityError, match="evidence_quotes_its_comment"):
        record_judgement(assignment, Attribute.LOCATION, OSLO, quotes=[Quote(stranger, 10, 14)])


def test_submitting_records_what_could_not_be_told(ada):
    assignment = make_assignment(annotator=ada)
    make_judgement(assignment)
    submit_assignment(assignment)
    assert Judgement.objects.filter(assignment=assignment).count() == 8
    assert Judgement.objects.filter(assignment=assignment, value="").count() == 7


@pytest.mark.parametrize("end", [submit_assignment, lambda a: skip_assignment(a, SkipReason.BOT)])
def test_nothing_can_be_written_once_it_is_closed(ada, end):
    assignment = make_assignment(annotator=ada)
    end(assignment)
    with pytest.raises(AssignmentClosed, match="Nothing was changed"):
        record_judgement(assignment, Attribute.LOCATION, OSLO)
    with pytest.raises(AssignmentClosed):
        submit_assignment(assignment)


def test_what_nobody_holds_cannot_be_judged():
    with pytest.raises(AssignmentClosed):
        record_judgement(make_assignment(), Attribute.LOCATION, OSLO)
