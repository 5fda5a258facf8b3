"""Handing out assignments: in order, only once, and safely when two people ask at the same moment."""

import threading
import time

import pghistory
import pytest
from django.db import connection, transaction

from annotator.batches import claims
from annotator.batches.claims import claim_next, prepare_next
from annotator.batches.lifecycle import draw_batch
from annotator.models import Assignment
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_profile


def in_threads(*calls):
    """Run the calls at the same time, and return what they returned."""
    results: list[object] = [None] * len(calls)

    def run(place, call):
        try:
            results[place] = call()
        except Exception as error:  # shown by the assertion
            results[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place, call)) for place, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return results


@pytest.mark.django_db
def test_hands_out_the_next_free_slot_in_the_drawn_order(ada):
    batch = make_batch()
    later = make_assignment(batch=batch, position=2)
    sooner = make_assignment(batch=batch, position=1)
    assert claim_next(batch=batch, annotator=ada) == sooner
    assert later.claimed_at is None


@pytest.mark.django_db
def test_gives_back_what_is_already_held(ada):
    held = make_assignment(annotator=ada)
    make_assignment(batch=held.batch)
    assert claim_next(batch=held.batch, annotator=ada) == held


@pytest.mark.django_db
def test_says_when_nothing_is_left(ada):
    assert claim_next(batch=make_batch(), annotator=ada) is None


@pytest.mark.django_db
def test_leaves_slots_that_are_meant_for_somebody_else(ada):
    theirs = make_assignment(annotator=make_annotator(), claimed_at=None)
    assert claim_next(batch=theirs.batch, annotator=ada) is None


@pytest.mark.django_db
def test_does_not_give_the_second_slot_of_a_profile_to_its_first_reader(ada):
    batch, profile = make_batch(overlap=2), make_profile()
    make_assignment(batch=batch, profile=profile, annotator=ada, submitted_at="2014-01-01T00:00Z")
    make_assignment(batch=batch, profile=profile, slot=1)
    assert claim_next(batch=batch, annotator=ada) is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("take", [claim_next, prepare_next])
def test_two_people_never_get_the_same_slot(ada, take):
    """Ben is taking the first: without skip_locked Ada would wait for, and get, the same row."""
    batch = make_batch()
    first, second = (make_assignment(batch=batch, position=position) for position in range(2))

    def take_without_waiting():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '2s'")
        return take(batch=batch, annotator=ada)

    with transaction.atomic():
        Assignment.objects.select_for_update().get(pk=first.pk)
        [taken] = in_threads(take_without_waiting)
    assert taken == second


@pytest.mark.django_db(transaction=True)
def test_what_was_taken_meanwhile_is_not_taken_again(ada):
    ben, batch = make_annotator("ben"), make_batch()
    for position in range(2):
        make_assignment(batch=batch, position=position)
    results = in_threads(*(lambda p=person: claim_next(batch=batch, annotator=p) for person in (ada, ben)))
    assert {type(result) for result in results} == {Assignment}, results
    assert results[0].pk != results[1].pk


@pytest.mark.django_db
@pytest.mark.parametrize("reserve", [claim_next, prepare_next])
def test_taking_the_next_costs_three_queries_at_most(ada, reserve, django_assert_max_num_queries):
    batch = make_batch()
    taken = make_assignment(batch=batch)
    with django_assert_max_num_queries(3):
        assert reserve(batch=batch, annotator=ada) == taken


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("others", [0, 1])
def test_what_another_tab_claimed_after_a_submission_is_found(ada, others):
    """Whether or not there would be something else to claim."""
    batch = make_batch()
    claimed = make_assignment(batch=batch)
    assert claim_next(batch=batch, annotator=ada) == claimed
    for _ in range(others):
        make_assignment(batch=batch)
    assert claim_next(batch=batch, annotator=ada, holds_none=True) == claimed


def test_after_a_submission_the_next_is_one_query(ada, django_assert_num_queries):
    batch = make_batch()
    meant = make_assignment(batch=batch)
    Assignment.objects.filter(pk=meant.pk).update(annotator=ada)
    with django_assert_num_queries(1):
        assert claim_next(batch=batch, annotator=ada, holds_none=True) == meant


@pytest.mark.django_db(transaction=True)
def test_what_is_meant_for_a_person_is_waited_for(ada):
    """Whoever looked for something free a moment ago may still have a lock on it."""
    batch = make_batch()
    meant, _ = make_assignment(batch=batch), make_assignment(batch=batch)
    Assignment.objects.filter(pk=meant.pk).update(annotator=ada)
    is_locked = threading.Event()

    def lock_for_a_moment() -> None:
        with transaction.atomic():
            Assignment.objects.select_for_update().get(pk=meant.pk)
            is_locked.set()
            time.sleep(0.3)

    def claim() -> Assignment | None:
        is_locked.wait(10)
        return claim_next(batch=batch, annotator=ada)

    assert in_threads(lock_for_a_moment, claim)[1] == meant


@pytest.mark.django_db(transaction=True)
def test_two_tabs_of_one_person_hold_one_slot(ada, monkeypatch):
    """Both tabs find nothing held before either claims: the constraint keeps it to one."""
    batch = make_batch()
    for _ in range(2):
        make_assignment(batch=batch)
    both_looked = threading.Barrier(2, timeout=10)
    claim = claims._claim

    def claim_after_both_looked(*args):
        both_looked.wait()
        return claim(*args)

    monkeypatch.setattr(claims, "_claim", claim_after_both_looked)
    results = in_threads(*[lambda: claim_next(batch=batch, annotator=ada)] * 2)
    assert results[0] == results[1], results
    assert batch.assignments.held_by(ada).count() == 1


@pytest.mark.django_db
def test_a_batch_with_overlap_gives_each_profile_to_different_people(ada):
    ben, guideline = make_annotator("ben"), make_batch().guideline
    corpus = make_corpus()
    for _ in range(3):
        make_profile(corpus=corpus)
    batch = draw_batch(
        name="double", corpus=corpus, guideline=guideline, size=3, seed=1, overlap=2, annotators=[ada, ben]
    )
    assert batch.assignments.count() == 6
    assert batch.assignments.filter(annotator=ada).values("profile").distinct().count() == 3
    assert batch.started_at is not None


@pytest.mark.parametrize("owner", ["nobody", "the person"])
def test_the_history_says_who_took_a_profile(ada, owner):
    waiting = make_assignment()
    Assignment.objects.filter(pk=waiting.pk).update(annotator=ada if owner == "the person" else None)
    with pghistory.context(person=str(ada.pk)) as history:
        assert claim_next(batch=waiting.batch, annotator=ada) == waiting
    event = Assignment.pgh_event_model.objects.filter(pgh_obj_id=waiting.pk).latest("pgh_id")
    assert (event.pgh_context["person"], event.pgh_context_id) == (str(ada.pk), history.id)
