"""What holds for any spans: order means nothing, perfect predictions are perfect, wrong ones never help."""

from collections import Counter
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.labels import IgnorePolicy, LabelMode
from evaluation.spans.matching import GoldState, Matching, MatchRule, Method, PredictionState
from evaluation.spans.matching.canonical import canonical_order
from evaluation.spans.scores import point_scores
from evaluation.spans.tables import build_tables
from tests.evaluation.spans.cases import (
    LABELS,
    STUDY,
    Documents,
    documents,
    match_documents,
    rules,
    span,
)  # fmt: skip

ORDERLESS = (Method.EXACT, Method.IOU, Method.R1)
FAR = 1000


def states(gold: Documents, predicted: Documents, matching: Matching) -> tuple[Counter, Counter, int]:
    """How often each span has which state."""
    first = [(d, s.start, s.end, s.label) for d, spans in enumerate(gold) for s in spans]
    second = [(d, s.start, s.end, s.label) for d, spans in enumerate(predicted) for s in spans]
    of_gold = Counter(zip(first, matching.gold.tolist(), matching.relaxed.tolist(), strict=True))
    return of_gold, Counter(zip(second, matching.predicted.tolist(), strict=True)), matching.merged


@given(documents(), documents(), rules(*ORDERLESS), st.randoms(use_true_random=False))
def test_order_does_not_matter(gold, predicted, rule, random):
    shuffled = [[random.sample(spans, len(spans)) for spans in side] for side in (gold, predicted)]
    before = states(gold, predicted, match_documents(gold, predicted, rule))
    assert states(*shuffled, match_documents(*shuffled, rule)) == before


@given(documents(), rules(*ORDERLESS))
def test_perfect_predictions_score_1(gold, rule):
    distinct = [list({(s.start, s.end, s.label): s for s in spans}.values()) for spans in gold]
    scores = point_scores(match_documents(distinct, distinct, rule))
    assert {scores.precision, scores.recall, scores.f1} <= {1.0, None}
    if rule.ignore == IgnorePolicy.NONE and any(distinct):
        assert scores.f1 == 1


@given(documents(), documents(), st.sampled_from(LabelMode), st.sampled_from([IgnorePolicy.NONE, IgnorePolicy.STUDY]))
def test_swapping_both_sides_swaps_precision_and_recall(gold, predicted, labels, ignore):
    rule = MatchRule(Method.EXACT, labels, ignore=ignore)
    left, other = (
        point_scores(match_documents(*sides, rule, replace(STUDY, ignored=frozenset())))
        for sides in ((gold, predicted), (predicted, gold))
    )
    assert (left.precision, left.recall, left.f1) == (other.recall, other.precision, pytest.approx(other.f1))


@given(documents(), documents(), rules(*Method), st.sampled_from(LABELS))
def test_a_wrong_prediction_never_raises_a_score(gold, predicted, rule, label):
    before = point_scores(match_documents(gold, predicted, rule))
    after = point_scores(match_documents(gold, [[*predicted[0], span(label, FAR, FAR + 5)], *predicted[1:]], rule))
    assert (after.precision or 0) <= (1 if before.precision is None else before.precision)
    assert after.recall == before.recall
    assert (after.f1 or 0) <= (before.f1 or 0)


@given(documents(), documents(), rules(*Method))
def test_scores_lie_between_0_and_1_or_are_undefined(gold, predicted, rule):
    matching = match_documents(gold, predicted, rule)
    scores = point_scores(matching)
    assert all(score is None or 0 <= score <= 1 for score in (scores.precision, scores.recall, scores.f1))
    assert (scores.recall is None) == (matching.gold == GoldState.IGNORED).all()
    assert (scores.precision is None) == (matching.predicted == PredictionState.IGNORED).all()


@given(documents(), documents(), rules(*Method))
def test_partners_are_used_and_belong_to_the_same_document(gold, predicted, rule):
    matching = match_documents(gold, predicted, rule)
    first, second = ([(d, s) for d, spans in enumerate(side) for s in spans] for side in (gold, predicted))
    for (document, item), partner, is_matched in zip(first, matching.partners, matching.is_matched, strict=True):
        assert (partner >= 0) == is_matched
        if is_matched:
            other_document, other = second[partner]
            assert document == other_document
            assert item.overlaps(other)
            assert matching.is_used[partner]
    if rule.method in {Method.EXACT, Method.IOU}:
        assert matching.is_matched.sum() == matching.is_used.sum()


@given(documents(most=10), st.booleans())
def test_the_canonical_order_is_that_of_a_plain_sort(spans, is_large):
    """Also with offsets too large to pack a row into one number."""
    shift = 2**60 if is_large else 0
    shifted = [[replace(s, end=s.end + shift * (s.start % 2)) for s in of_document] for of_document in spans]
    table, _ = build_tables(shifted, [[] for _ in spans])
    rows = [
        (d, s.start, s.end, s.label, inf if s.score is None else -s.score) for d, of in enumerate(shifted) for s in of
    ]
    assert [rows[index] for index in canonical_order(table)] == sorted(rows)
