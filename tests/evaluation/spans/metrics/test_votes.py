"""One gold from several annotators."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.metrics.votes import majority_gold, union_gold
from tests.evaluation.spans.metrics.documents import LABELS, span, spans

layers = st.lists(st.lists(spans(30), max_size=5), min_size=2, max_size=4)


def characters(layer, label: str) -> set[int]:
    return {position for s in layer if s.label == label for position in range(s.start, s.end)}


@given(layers)
def test_union_has_the_characters_that_anybody_marked(members):
    for label in LABELS:
        anybody = set().union(*(characters(layer, label) for layer in members))
        assert characters(union_gold(members), label) == anybody


@given(layers)
def test_majority_has_the_characters_that_more_than_half_marked(members):
    for label in LABELS:
        votes = [characters(layer, label) for layer in members]
        most = {i for i in range(30) if sum(i in vote for vote in votes) > len(members) / 2}
        assert characters(majority_gold(members), label) == most


@given(layers)
def test_spans_of_one_label_do_not_overlap(members):
    for combine in (union_gold, majority_gold):
        for label in LABELS:
            places = [s for s in combine(members) if s.label == label]
            assert all(first.end <= second.start for first, second in pairwise(places))


@given(layers, st.randoms())
def test_order_of_annotators_makes_no_difference(members, random):
    shuffled = random.sample(members, len(members))
    assert majority_gold(shuffled) == majority_gold(members)


@given(st.lists(spans(), max_size=5))
def test_a_single_layer_stays_as_it_is(layer):
    assert union_gold([layer]) == majority_gold([layer]) == tuple(layer)


def test_two_annotators_must_agree():
    first, second = [span(0, 10), span(20, 25)], [span(5, 12)]
    assert majority_gold([first, second]) == (span(5, 10),)
    assert union_gold([first, second]) == (span(0, 12), span(20, 25))


def test_adjacent_names_stay_two():
    names = [span(0, 5), span(5, 10)]
    assert union_gold([names, names]) == majority_gold([names, names]) == tuple(names)
    assert union_gold([names, [span(3, 7)]]) == (span(0, 10),)
    assert majority_gold([names, names, [span(0, 10)]]) == tuple(names)


def test_an_annotator_has_one_vote():
    twice = [span(0, 6), span(2, 8)]
    assert majority_gold([twice, []]) == ()
