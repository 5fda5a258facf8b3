"""The demo study, really loaded: there is something to see on every page of the first visit."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.db.models import Sum

from annotator.demo.people import DEMO_PASSWORD, demo_people, study_is_empty
from annotator.demo.study import load_demo
from annotator.models import Assignment, Batch, Evidence, Judgement, KnownAnswer
from profiles.attributes import Attribute
from profiles.models import AttributeHint, Comment, Corpus, DetectionRun, Profile

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def progress(django_db_setup, django_db_blocker) -> Iterator[list[str]]:
    """The demo study, loaded once for all tests here, and what loading it said."""
    lines: list[str] = []
    with django_db_blocker.unblock(), transaction.atomic():
        load_demo(with_passwords=True, tell=lines.append)
        yield lines
        transaction.set_rollback(True)


def test_fills_an_empty_study(progress):
    assert not study_is_empty()
    assert Corpus.objects.ready().count() == 1
    assert Profile.objects.count() >= 60
    assert Comment.objects.count() >= 8000
    assert Profile.objects.get(comment_count=5000)
    assert set(KnownAnswer.objects.values_list("attribute", flat=True)) == set(Attribute.values)
    assert AttributeHint.objects.filter(subreddit__presences__isnull=False).exists()
    assert progress


def test_detection_is_asked_for_and_the_batches_show_it(progress):
    run = DetectionRun.objects.active().get()
    assert {batch.recipe for batch in Batch.objects.all()} == {run.recipe}


def test_one_batch_is_half_done_and_the_other_untouched(progress):
    pilot, second = Batch.objects.filter(is_practice=False).order_by("pk")
    done = pilot.assignments.exclude(submitted_at=None, skipped_at=None).count()
    assert done == pilot.assignments.count() // 2
    assert pilot.assignments.exclude(skipped_at=None).count() == 1
    assert not second.assignments.exclude(claimed_at=None).exists()


def test_the_time_of_each_profile_is_also_the_time_of_its_day(progress):
    timed = Assignment.objects.submitted().annotate(seconds=Sum("sittings__active_seconds"))
    assert timed.exists()
    assert all(assignment.seconds == assignment.active_seconds > 0 for assignment in timed)


def test_there_is_something_to_practise_and_nobody_must(progress):
    practice = Batch.objects.get(is_practice=True)
    assert practice.name == "Practice"
    assert len(practice.draw["profiles"]) == 3
    assert not Assignment.objects.filter(profile__in=practice.draw["profiles"]).exists()  # new to whoever practises
    assert not Batch.objects.exclude(after_practice=None).exists()


def test_known_profiles_are_planted_in_the_second_round(progress):
    planted = Assignment.objects.filter(is_planted=True)
    assert {assignment.batch.name for assignment in planted} == {"Second round"}
    assert planted.values("profile").distinct().count() == 2
    assert {assignment.annotator.username for assignment in planted} == {"eva", "ben"}


def test_the_evaluators_agree_mostly_and_not_always(progress):
    by_profile: dict[tuple[int, str], set[str]] = {}
    submitted = Judgement.objects.filter(assignment__submitted_at__isnull=False).exclude(value="")
    for profile, attribute, value in submitted.values_list("assignment__profile", "attribute", "value"):
        by_profile.setdefault((profile, attribute), set()).add(value)
    disagreements = sum(len(values) > 1 for values in by_profile.values())
    assert 0 < disagreements < len(by_profile) / 3


def test_every_submitted_profile_has_all_eight_judgements_and_some_have_evidence(progress):
    submitted = Assignment.objects.submitted()
    assert Judgement.objects.filter(assignment__in=submitted).count() == 8 * submitted.count()
    assert Evidence.objects.count() > submitted.count()


def test_there_is_an_account_for_each_role(progress):
    people = demo_people()
    assert {role for person in people for role in person.roles} == {"admin", "evaluator", "researcher"}
    assert all(person.check_password(DEMO_PASSWORD) for person in people)
