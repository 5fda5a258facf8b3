"""Detections that must never exist."""

import pytest
from django.db import DatabaseError, IntegrityError

from profiles.models import Detection, DetectionRun, Recipe
from tests.factories import make_profile

pytestmark = pytest.mark.django_db


def detection(body="I live in Oslo", **fields):
    profile = make_profile(body)
    recipe = Recipe.objects.create(name="small", digest="0" * 64, contents={"model": "en_core_web_sm"})
    run = DetectionRun.objects.create(corpus=profile.corpus, recipe=recipe)
    shape = {"entity_type": "LOCATION", "start": 10, "end": 14, "score": 0.85}
    return Detection(run=run, comment=profile.comments.get(), **(shape | fields))


def test_lies_inside_its_comment():
    Detection.objects.bulk_create([detection()])
    assert Detection.objects.get().end == 14


@pytest.mark.parametrize("body", ["I live in Osl", "😀 in Oslo. It is"])
def test_must_not_end_after_its_comment(body):
    with pytest.raises(IntegrityError, match="ends after its comment"):
        Detection.objects.bulk_create([detection(body, end=len(body) + 1)])


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"start": 14}, "detection_is_not_empty"),
        ({"score": 1.2}, "detection_score_from_0_to_1"),
        ({"score": -0.1}, "detection_score_from_0_to_1"),
    ],
)
def test_has_length_and_a_score(fields, constraint):
    with pytest.raises(IntegrityError, match=constraint):
        Detection.objects.bulk_create([detection(**fields)])


def test_is_found_once_per_run():
    saved = detection()
    saved.save()
    with pytest.raises(IntegrityError, match="detection_found_once"):
        Detection.objects.create(
            run=saved.run, comment=saved.comment, entity_type="LOCATION", start=10, end=14, score=0.4
        )


def test_is_never_edited():
    saved = detection()
    saved.save()
    with pytest.raises(DatabaseError, match="detection_never_edited"):
        Detection.objects.update(score=0.1)


def test_a_recipe_is_never_edited():
    detection()
    with pytest.raises(DatabaseError, match="recipe_never_edited"):
        Recipe.objects.update(contents={})
