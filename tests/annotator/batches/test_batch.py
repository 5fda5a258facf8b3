"""The page of a batch, for the person who labels it."""

import pytest
from django.utils import timezone

from annotator.models import Batch
from tests.annotator.quality.practice_batches import make_known, make_practice_of
from tests.factories import make_annotator, make_assignment, make_batch

pytestmark = pytest.mark.django_db


def test_lists_ones_own_profiles_and_no_others(as_ada, ada):
    batch = make_batch()
    mine = make_assignment(annotator=ada, batch=batch)
    theirs = make_assignment(annotator=make_annotator(), batch=batch)
    page = as_ada.get(f"/batches/{batch.pk}/").content.decode()
    assert mine.profile.pseudonym in page
    assert theirs.profile.pseudonym not in page


def test_a_batch_one_has_no_part_in_does_not_exist(as_ada):
    theirs = make_assignment(annotator=make_annotator())
    assert as_ada.get(f"/batches/{theirs.batch_id}/").status_code == 404


@pytest.mark.parametrize("kind", ["practice", "pool"])
def test_offers_to_begin_where_one_has_no_profiles_yet(as_ada, kind):
    batch = make_practice_of(make_known("From Houston.")) if kind == "practice" else make_assignment().batch
    home = as_ada.get("/").content.decode()
    assert f'href="/batches/{batch.pk}/"' in home
    page = as_ada.get(f"/batches/{batch.pk}/")
    assert page.status_code == 200
    assert f'action="/batches/{batch.pk}/continue/"' in page.content.decode()


def test_offers_nothing_where_no_profile_is_left(as_ada):
    batch = make_assignment().batch
    Batch.objects.filter(pk=batch.pk).update(paused_at=timezone.now())
    assert "/continue/" not in as_ada.get(f"/batches/{batch.pk}/").content.decode()


@pytest.mark.parametrize("profiles", [1, 20])
def test_query_count_does_not_grow_with_profiles(as_ada, ada, django_assert_num_queries, profiles):
    batch = make_batch()
    for _ in range(profiles):
        make_assignment(annotator=ada, batch=batch, claimed_at=None)
    as_ada.get("/")
    with django_assert_num_queries(4):  # person, batch, progress, assignments
        as_ada.get(f"/batches/{batch.pk}/")
