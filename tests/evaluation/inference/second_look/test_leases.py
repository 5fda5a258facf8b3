"""Handing out claims: never the same one to two people, not even at the same moment."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.utils import timezone

from annotator.models import Annotator, PromptedAnswer, Role
from evaluation.inference.second_look import services
from evaluation.inference.second_look.leases import LEASE, take_next_claim
from evaluation.inference.second_look.options import ConfirmedAnswer, DrawOptions
from evaluation.inference.second_look.queries import progress_of, shown_claim
from evaluation.inference.second_look.services import ClaimUnavailable
from evaluation.models import Claim, ClaimLease, ClaimReview, ClaimVerdict
from tests.evaluation.inference.second_look.looks import claims_of, make_claimed_run, make_look
from tests.factories import make_annotator

CONFIRM, REJECT = ClaimVerdict.CONFIRM, ClaimVerdict.REJECT
HIGH = ConfirmedAnswer("high", 3, 4)


@pytest.fixture
def hedy():
    return make_annotator("hedy", roles=[Role.ADMIN])


@pytest.mark.django_db
def test_two_people_never_get_the_same_claim(grace, hedy):
    look = make_look()
    mine, theirs = take_next_claim(look, grace), take_next_claim(look, hedy)
    assert mine != theirs
    assert take_next_claim(look, grace) == mine  # a second tab shows the same
    ClaimLease.objects.filter(claim=mine).update(held_at=timezone.now() - LEASE - timedelta(seconds=1))
    services.give_blind_verdict(theirs, REJECT, by=hedy)
    services.decide_claim(theirs, REJECT, by=hedy)
    assert take_next_claim(look, hedy) == mine


@pytest.mark.django_db
def test_somebody_elses_open_claim_cannot_be_judged(grace, hedy):
    look = make_look()
    mine = take_next_claim(look, grace)
    with pytest.raises(ClaimUnavailable):
        services.give_blind_verdict(mine, REJECT, by=hedy)
    assert not ClaimReview.objects.exists()


@pytest.mark.django_db
def test_a_claim_that_was_begun_comes_first(grace):
    look = make_look()
    later = claims_of(look)[3]
    services.give_blind_verdict(later, REJECT, by=grace)
    assert take_next_claim(look, grace) == later


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"is_active": False}, {"roles": [Role.RESEARCHER.value]}])
def test_a_claim_whose_reviewer_left_is_blind_again_for_the_next(grace, hedy, change):
    look = make_look()
    claim = take_next_claim(look, hedy)
    services.give_blind_verdict(claim, CONFIRM, by=hedy)
    ClaimLease.objects.update(held_at=timezone.now() - LEASE - timedelta(seconds=1))
    assert take_next_claim(look, grace) != claim
    ClaimLease.objects.all().delete()
    Annotator.objects.filter(pk=hedy.pk).update(**change)
    assert (progress_of(look).waiting, progress_of(look).left) == (0, look.size)
    again = take_next_claim(look, grace)
    assert (again, shown_claim(again).is_blind) == (claim, True)
    services.give_blind_verdict(again, REJECT, by=grace)
    review = ClaimReview.objects.get()
    assert (review.reviewer, review.blind_verdict) == (grace, REJECT)


def at_once(*calls) -> list[object]:
    """What each call returns or raises, when all start together."""
    barrier, results = Barrier(len(calls)), []

    def start(call):
        try:
            barrier.wait(10)
            results.append(call())
        except ClaimUnavailable as refusal:
            results.append(refusal)
        finally:
            connection.close()

    threads = [Thread(target=start, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return results


@pytest.mark.django_db(transaction=True)
def test_at_the_same_moment_two_people_get_different_claims(grace, hedy):
    look = make_look()
    claims = at_once(lambda: take_next_claim(look, grace), lambda: take_next_claim(look, hedy))
    assert len({claim.pk for claim in claims}) == 2


@pytest.mark.django_db(transaction=True)
def test_at_the_same_moment_only_one_verdict_counts(grace, hedy):
    claim = claims_of(make_look())[0]
    results = at_once(
        lambda: services.give_blind_verdict(claim, REJECT, by=grace),
        lambda: services.give_blind_verdict(claim, CONFIRM, by=hedy),
    )
    assert sum(isinstance(result, ClaimUnavailable) for result in results) == 1
    assert ClaimReview.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_at_the_same_moment_a_claim_is_confirmed_once(grace):
    claim = claims_of(make_look())[0]
    services.give_blind_verdict(claim, CONFIRM, by=grace)
    results = at_once(*[lambda: services.decide_claim(claim, CONFIRM, HIGH, by=grace)] * 2)
    assert all(isinstance(result, ClaimReview) for result in results)
    assert PromptedAnswer.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_at_the_same_moment_claims_are_drawn_once():
    run = make_claimed_run(4)
    looks = at_once(*[lambda: services.draw_second_look(run, DrawOptions())] * 2)
    assert looks[0] == looks[1]
    assert Claim.objects.count() == looks[0].size
