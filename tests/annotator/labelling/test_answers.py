"""From one profile to the next: continue, submit, skip, reopen, and prefetch the next one."""

import pytest
from django.db.models import Q
from django.utils import timezone

from annotator.batches.claims import prepare_next
from annotator.labelling.cards import Card
from annotator.labelling.forms import NO_REMARK
from annotator.labelling.services import save_card
from annotator.labelling.submission import NOT_REOPENED, submit_assignment
from annotator.labelling.views.answers import BATCH_FINISHED, BATCH_PAUSED
from annotator.models import Assignment, Batch, Submission
from profiles.attributes import Attribute
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.labelling.forms import OSLO
from tests.factories import make_annotator, make_assignment, make_batch, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(ada):
    return make_assignment(annotator=ada, position=0)


def follow(held, **fields):
    """One more slot of the same batch."""
    profile = make_profile(corpus=held.profile.corpus)
    return make_assignment(batch=held.batch, profile=profile, claimed_at=None, **fields)


def submit(client, held, **fields):
    return client.post(f"/assignments/{held.pk}/submit/", {"nothing": "yes"} | fields)


def test_continue_leads_to_what_is_held(as_ada, held):
    follow(held)
    response = as_ada.post(f"/batches/{held.batch_id}/continue/")
    assert response.headers["Location"] == f"/assignments/{held.pk}/"


def test_continue_claims_the_next(as_ada, ada):
    slot = make_assignment()
    response = as_ada.post(f"/batches/{slot.batch_id}/continue/")
    assert response.headers["Location"] == f"/assignments/{slot.pk}/"
    assert ada.assignments.get().claimed_at


def test_a_batch_for_others_does_not_exist(as_ada):
    theirs = make_assignment(annotator=make_annotator(), claimed_at=None)
    assert as_ada.post(f"/batches/{theirs.batch_id}/continue/").status_code == 404
    assert as_ada.get(f"/batches/{theirs.batch_id}/continue/").status_code == 405


@pytest.mark.parametrize(
    ("fields", "message"),
    [({}, BATCH_FINISHED), ({"paused_at": timezone.now()}, BATCH_PAUSED)],
    ids=["done", "paused"],
)
def test_when_nothing_is_left_it_says_why(as_ada, ada, fields, message):
    done = make_assignment(annotator=ada, submitted_at=timezone.now())
    Batch.objects.update(**fields)
    response = as_ada.post(f"/batches/{done.batch_id}/continue/", follow=True)
    assert message.format(name=done.batch.name) in response.content.decode()


def test_a_paused_batch_hands_out_nothing(as_ada, ada):
    slot = make_assignment()
    Batch.objects.update(paused_at=timezone.now())
    as_ada.post(f"/batches/{slot.batch_id}/continue/")
    assert not ada.assignments.exists()


def test_submitting_leads_to_the_next(as_ada, held):
    following = follow(held)
    save_card(held, Attribute.LOCATION, OSLO, based_on=0)
    answer = as_ada.post(f"/assignments/{held.pk}/submit/", {"location-version": 1}).json()
    assert answer == {"next": f"/assignments/{following.pk}/"}
    following.refresh_from_db()
    assert following.claimed_at


def test_submitting_twice_is_as_good_as_once(as_ada, held):
    following = follow(held)
    for _ in range(2):
        assert submit(as_ada, held).json() == {"next": f"/assignments/{following.pk}/"}
    assert Submission.objects.count() == 1


def test_what_is_incomplete_is_named(as_ada, held):
    save_card(held, Attribute.LOCATION, Card("oslo"), based_on=0)
    response = as_ada.post(f"/assignments/{held.pk}/submit/", {"location-version": 1})
    assert response.status_code == 422
    assert list(response.json()["problems"]) == ["location"]


def test_nothing_at_all_is_asked_for_once(as_ada, held):
    response = as_ada.post(f"/assignments/{held.pk}/submit/")
    assert response.status_code == 422
    assert response.json()["nothing"]
    submit(as_ada, held)
    assert Submission.objects.get().nothing_inferred


def test_what_another_tab_wrote_is_not_sealed_unseen(as_ada, held):
    save_card(held, Attribute.LOCATION, OSLO, based_on=0)
    response = submit(as_ada, held, **{"location-version": "0"})
    assert response.status_code == 409
    assert response.json()["theirs"]["value"] == "Oslo"
    assert submit(as_ada, held, **{"location-version": "²"}).status_code == 409


def test_the_last_seconds_come_with_the_submit(as_ada, held):
    submit(as_ada, held, key="a" * 32, active=3, cards='{"age": 1}')
    assert Submission.objects.get().active_seconds == 3


def test_skipping_needs_a_reason_and_leads_on(as_ada, held):
    following = follow(held)
    url = f"/assignments/{held.pk}/skip/"
    assert as_ada.post(url, {"reason": "boring"}).status_code == 422
    assert as_ada.post(url, {"reason": "other"}).json()["problem"] == NO_REMARK
    assert as_ada.post(url, {"reason": "bot"}).json() == {"next": f"/assignments/{following.pk}/"}
    held.refresh_from_db()
    assert held.skip_reason == "bot"


def test_reopening_and_not_reopening(as_ada, held):
    submit_assignment(held, nothing=True)
    as_ada.post(f"/assignments/{held.pk}/reopen/")
    assert Assignment.objects.get(pk=held.pk).reopened_at is not None
    Batch.objects.update(closed_at=timezone.now())
    Assignment.objects.update(reopened_at=None)
    response = as_ada.post(f"/assignments/{held.pk}/reopen/", follow=True)
    assert NOT_REOPENED in response.content.decode()


def test_the_next_profile_can_be_got_ready(as_ada, ada, held):
    following = follow(held)
    page = as_ada.get(f"/assignments/{held.pk}/next/").content.decode()
    assert following.profile.pseudonym in page
    assert "<html" not in page
    following.refresh_from_db()
    assert (following.annotator, following.claimed_at) == (ada, None)
    assert f"/assignments/{held.pk}/" in page  # the way back


def test_what_was_got_ready_is_what_comes(as_ada, held):
    later = follow(held, position=9)
    prepare_next(batch=held.batch, annotator=held.annotator)
    follow(held, position=1)
    assert submit(as_ada, held).json() == {"next": f"/assignments/{later.pk}/"}


def test_when_nothing_follows_nothing_is_got_ready(as_ada, held):
    assert as_ada.get(f"/assignments/{held.pk}/next/").status_code == 204


@pytest.mark.django_db(transaction=True)
def test_two_people_get_different_profiles_ready(ada):
    ben, batch = make_annotator("ben"), make_batch()
    for _ in range(2):
        make_assignment(batch=batch)
    prepared = in_threads(*(lambda p=person: prepare_next(batch=batch, annotator=p) for person in (ada, ben)))
    assert {type(result) for result in prepared} == {Assignment}, prepared
    assert prepared[0].pk != prepared[1].pk


@pytest.mark.parametrize("n", [1, 40])
def test_the_cost_of_the_next_does_not_grow_with_the_batch(as_ada, held, django_assert_max_num_queries, n):
    for _ in range(n):
        follow(held)
    with django_assert_max_num_queries(26):
        submit(as_ada, held)


def test_who_is_signed_in_with_a_fresh_token(client, ada):
    assert client.get("/session/").json()["person"] is None
    client.force_login(ada)
    answer = client.get("/session/")
    assert answer.json()["person"] == ada.pk
    assert len(answer.json()["csrf"]) == 64
    assert answer.headers["Cache-Control"] == "no-store"


def test_several_evaluators_share_a_pool_without_meeting(ada):
    """Each profile goes to as many as the overlap says, and to nobody twice."""
    people, batch = [ada, make_annotator(), make_annotator()], make_batch(overlap=2)
    for position in range(6):
        profile = make_profile(corpus=batch.corpus)
        for slot in range(2):
            make_assignment(batch=batch, profile=profile, slot=slot, position=position)
    turn = 0
    while batch.assignments.filter(Q(claimed_at=None)).exists():
        person = people[turn % 3]
        turn += 1
        from annotator.batches.claims import claim_next

        assignment = claim_next(batch=batch, annotator=person)
        if assignment is not None:
            submit_assignment(assignment, nothing=True)
        assert turn < 60
    read = list(batch.assignments.values_list("profile", "annotator"))
    assert len(set(read)) == len(read) == 12
