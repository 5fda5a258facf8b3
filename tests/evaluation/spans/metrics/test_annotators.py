"""Annotators as gold, one by one and together, and against each other."""

import pytest
from hypothesis import given

from evaluation.spans.alignment import AlignedDocument
from evaluation.spans.labels import LabelMode, LabelScheme
from evaluation.spans.matching import MatchRule, Method
from evaluation.spans.metrics.annotators import AnnotatorScores, score_annotators
from tests.evaluation.spans.metrics.documents import documents, span

STRICT = MatchRule(Method.R1, LabelMode.STRICT)


def document(predicted=(), **gold) -> AlignedDocument:
    return AlignedDocument("", None, {name: tuple(layer) for name, layer in gold.items()}, tuple(predicted))


def score(*members: AlignedDocument, ignored: frozenset[str] = frozenset()) -> AnnotatorScores:
    return score_annotators(members, LabelScheme("test", ignored=ignored), STRICT)


def test_each_annotator_is_gold_where_they_annotated():
    scores = score(
        document([span(0, 5)], ann=[span(0, 5)], ben=[span(0, 5), span(8, 9)]),
        document([span(0, 5)], ben=[]),
    )
    assert (scores.each["ann"].documents, scores.each["ann"].f1) == (1, 1.0)
    assert (scores.each["ben"].documents, scores.each["ben"].precision, scores.each["ben"].recall) == (2, 0.5, 0.5)


def test_union_and_majority_cover_all_documents():
    scores = score(
        document([span(0, 5)], ann=[span(0, 5)], ben=[span(0, 5), span(8, 9)]),
        document([span(0, 5)], ben=[span(0, 5)]),
    )
    assert (scores.union.gold, scores.union.matched) == (3, 2)
    assert (scores.majority.gold, scores.majority.matched) == (2, 2)


def test_ceiling_scores_one_annotator_against_another():
    pair = {"ben": [span(0, 5), span(8, 9)], "ann": [span(0, 5)]}
    scores = score(document([span(30, 40)], **pair), document([], ann=[span(1, 2)]))
    (ceiling,) = scores.as_json()["ceiling"]
    assert (ceiling["first"], ceiling["second"], ceiling["documents"]) == ("ann", "ben", 1)
    assert (ceiling["precision"], ceiling["recall"]) == (0.5, 1.0)
    assert ceiling["f1"] == pytest.approx(2 / 3)


def test_a_single_annotator_has_no_union_and_no_ceiling():
    report = score(document([span(0, 5)], ann=[span(0, 5)])).as_json()
    assert (report["union"], report["majority"], report["ceiling"]) == (None, None, [])
    assert report["each"][0]["name"] == "ann"


def test_ignored_types_do_not_count():
    layer = [span(0, 5), span(8, 9, "ORG")]
    scores = score(document([], ann=layer, ben=layer), ignored=frozenset({"ORG"}))
    assert scores.ceiling["ann", "ben"].gold == scores.each["ann"].gold == 1


@given(documents())
def test_annotators_who_agree_have_a_ceiling_of_one(layers):
    first = list({(s.start, s.end, s.label): s for s in layers[0]}.values())
    scores = score(document(first, ann=first, ben=first))
    assert scores.ceiling["ann", "ben"].f1 in (1.0, None)
    assert scores.each["ann"].f1 in (1.0, None)
