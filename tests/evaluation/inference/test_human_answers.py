"""What people said and how long they took, from the database."""

import pytest
from django.utils import timezone

from annotator.models import SameMeaning
from evaluation.inference.grades import Grade
from evaluation.inference.human_answers import active_seconds, human_pairs, occupation_decisions
from profiles.models import Profile
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_judgement, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def profile() -> Profile:
    return make_profile("I moved to Houston", corpus=make_corpus("Study"))


def submit(profile: Profile, *answers: tuple[str, str], **more: object):
    batch = more.pop("batch", None) or make_batch(corpus=profile.corpus)
    fields = {"submitted_at": timezone.now(), "active_seconds": 60, "slot": batch.assignments.count()} | more
    annotator = fields.pop("annotator", None) or make_annotator()
    assignment = make_assignment(annotator=annotator, profile=profile, batch=batch, **fields)
    for attribute, value in answers:
        make_judgement(assignment, attribute, value)
    return assignment


def test_pairs_of_two_people_on_the_same_attribute(profile, django_assert_num_queries):
    batch = make_batch(corpus=profile.corpus)
    submit(profile, ("location", "houston"), ("age", "30"), batch=batch)
    submit(profile, ("location", "texas"), batch=batch)
    with django_assert_num_queries(1):
        (pair,) = human_pairs(profile.corpus, batch)
    assert (pair.profile, pair.attribute) == (profile.pseudonym, "location")
    assert (pair.first.value, pair.second.value, pair.first.certainty) == ("houston", "texas", 4)


def test_three_people_are_three_pairs_and_blanks_count(profile):
    for value in ("houston", "", "dallas"):
        submit(profile, ("location", value))
    pairs = human_pairs(profile.corpus)
    assert len(pairs) == 3
    assert sum(pair.first.is_negative or pair.second.is_negative for pair in pairs) == 2


def test_what_does_not_count_makes_no_pair(profile):
    ada = make_annotator()
    submit(profile, ("location", "houston"), annotator=ada)
    submit(profile, ("location", "texas"), annotator=ada)  # the same person again
    submit(profile, ("location", "dallas"), is_planted=True)
    make_judgement(make_assignment(annotator=make_annotator(), profile=profile), "location", "austin")  # not submitted
    assert human_pairs(profile.corpus) == []


def test_active_time_of_counted_readings(profile, django_assert_num_queries):
    batch = make_batch(corpus=profile.corpus)
    submit(profile, batch=batch)
    submit(profile, batch=batch, active_seconds=100)
    submit(profile, batch=batch, active_seconds=0)  # imported
    submit(profile, active_seconds=1000, is_planted=True)
    with django_assert_num_queries(1):
        time = active_seconds(profile.corpus, batch)
    assert (time.seconds, time.readings, time.profiles) == (160, 2, 1)
    assert active_seconds(make_corpus("Empty")).readings == 0


def test_decisions_about_occupations():
    SameMeaning.objects.create(attribute="occupation", one="Carer", other="nurse", is_same=True)
    SameMeaning.objects.create(attribute="occupation", one="clerk", other="nurse", is_same=False)
    SameMeaning.objects.create(attribute="location", one="a", other="b", is_same=True)
    assert occupation_decisions() == {("carer", "nurse"): Grade.EXACT}
