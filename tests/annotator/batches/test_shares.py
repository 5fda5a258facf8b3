"""Sharing out profiles: each to different people, and as evenly as quotas allow."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.batches.drawing.shares import NOBODY_LEFT, CannotShare, Share, loads, share_out

quotas = st.lists(st.one_of(st.none(), st.integers(1, 30)), min_size=1, max_size=7)


@given(st.integers(1, 25), st.integers(1, 5), quotas)
def test_every_profile_goes_to_as_many_different_people_within_their_quotas(count, overlap, given_quotas):
    people = [Share(person, quota) for person, quota in enumerate(given_quotas, start=1)]
    capacity = sum(min(count, share.quota or count) for share in people)
    if overlap > len(people) or capacity < count * overlap:
        with pytest.raises(CannotShare):
            share_out(count, overlap, people)
        return
    annotators = share_out(count, overlap, people)
    assert [len(set(some)) for some in annotators] == [overlap] * count
    given_to = Counter(person for some in annotators for person in some)
    assert given_to == Counter({person: load for person, load in loads(count, overlap, people).items() if load})
    assert all(given_to[share.person] <= (share.quota or count) for share in people)


@given(st.integers(1, 25), st.integers(1, 5), quotas)
def test_loads_differ_by_one_at_most_but_for_lower_quotas(count, overlap, given_quotas):
    people = [Share(person, quota) for person, quota in enumerate(given_quotas, start=1)]
    try:
        shared = loads(count, overlap, people)
    except CannotShare:
        return
    most = max(shared.values())
    short = [share for share in people if shared[share.person] < most - 1]
    assert all(shared[share.person] == share.quota for share in short)


@given(st.integers(2, 12), st.integers(1, 3), st.data())
def test_nobody_gets_what_they_must_not_where_that_is_possible(count, overlap, data):
    people = [Share(person) for person in range(1, 6)]
    excluded = {place: data.draw(st.sets(st.integers(1, 5), max_size=5 - overlap)) for place in range(count)}
    annotators = share_out(count, overlap, people, excluded)
    assert [len(set(some)) for some in annotators] == [overlap] * count
    assert not any(set(some) & excluded[place] for place, some in enumerate(annotators))


def test_exchanges_what_was_given_when_quotas_are_full():
    """Person 1 has room for one profile, and only they may read the last: what they got first goes to person 2."""
    assert share_out(2, 1, [Share(1, 1), Share(2, 1)], {1: {2}}) == [[2], [1]]


def test_says_so_when_nobody_may_read_a_profile():
    with pytest.raises(CannotShare, match=NOBODY_LEFT):
        share_out(1, 1, [Share(1)], {0: {1}})


def test_everybody_is_compared_with_everybody():
    pairs = Counter(frozenset(some) for some in share_out(60, 2, [Share(person) for person in range(4)]))
    assert len(pairs) == 6
    assert max(pairs.values()) - min(pairs.values()) <= 1


@pytest.mark.parametrize(
    ("overlap", "people"),
    [(2, [Share(1)]), (1, [Share(1, 3), Share(2, 4)]), (1, [Share(1), Share(1)])],
    ids=["too few people", "quotas too low", "listed twice"],
)
def test_refuses_what_does_not_add_up(overlap, people):
    with pytest.raises(CannotShare):
        share_out(10, overlap, people)
