"""Hand-written SQL returns what Django's queries would: the same rows and fields."""

import pytest
from django.db import OperationalError, transaction
from django.forms import model_to_dict
from django.http import Http404

from annotator.labelling.queries import own_assignment, own_assignments
from annotator.labelling.services import lock_writable
from annotator.models import Assignment
from tests.annotator.batches.test_claim_next import in_threads
from tests.factories import make_assignment, make_batch, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(ada):
    profile = make_profile("I live in Oslo")
    batch = make_batch(corpus=profile.corpus, draw={"criteria": {"relabel": True}, "profiles": [profile.pk]})
    return make_assignment(annotator=ada, profile=profile, batch=batch)


def test_what_was_handed_out_is_read_as_django_reads_it(held, ada, django_assert_num_queries):
    theirs = own_assignments(ada).get(pk=held.pk)
    with django_assert_num_queries(1):
        ours = own_assignment(ada, held.pk)
        pairs = [(ours, theirs), (ours.batch, theirs.batch), (ours.profile, theirs.profile)]
        assert ours.batch.draw["criteria"] == {"relabel": True}
        assert ours.batch.guideline.number == 1
    for left, other in pairs:
        assert model_to_dict(left) == model_to_dict(other)
        assert not left._state.adding
    assert ours.batch.guideline.text == "Read, then judge."  # left out, and there when it is asked for


def test_what_others_hold_and_what_was_not_handed_out_is_not_read(ada, grace):
    theirs, meant = make_assignment(annotator=grace), make_assignment(annotator=ada, claimed_at=None)
    for assignment in (theirs, meant):
        with pytest.raises(Http404):
            own_assignment(ada, assignment.pk)


@pytest.mark.parametrize("path", ["", "next/", "comments/"])
def test_a_number_that_no_row_can_have_is_not_found(as_ada, path):
    assert as_ada.get(f"/assignments/{10**30}/{path}").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_what_is_locked_is_nobody_elses_to_write(held):
    def take():
        with transaction.atomic():
            return Assignment.objects.select_for_update(no_key=True, nowait=True).get(pk=held.pk)

    with transaction.atomic():
        lock_writable(held)
        [refusal] = in_threads(take)
    assert isinstance(refusal, OperationalError), refusal
