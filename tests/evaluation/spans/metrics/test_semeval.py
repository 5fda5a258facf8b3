"""SemEval's schemes: equal to nervaluate on anything, and to what a person counts by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nervaluate.evaluator import Evaluator

from evaluation.spans.metrics.semeval import SemEvalScheme, SemEvalScores, score_semeval
from tests.evaluation.spans.metrics.documents import LABELS, Side, documents, span, spans, tables

NUMBERS = ("correct", "incorrect", "partial", "missed", "spurious", "possible", "actual", "precision", "recall", "f1")


def score(gold: Side, predicted: Side, **options: frozenset[str]) -> SemEvalScores:
    return score_semeval(*tables(gold, predicted), **options)


def nervaluate(gold: Side, predicted: Side, tags: tuple[str, ...] = LABELS) -> dict:
    """Its results. It counts an end as part of the span, so it gets the last character's position."""
    sides = [
        [[{"label": s.label, "start": s.start, "end": s.end - 1} for s in document] for document in side]
        for side in (gold, predicted)
    ]
    results = Evaluator(*sides, tags=list(tags), loader="dict").evaluate()
    return {"overall": results["overall"], **results["entities"]}


def numbers(results: dict) -> dict:
    return {scheme: {name: getattr(counts, name) for name in NUMBERS} for scheme, counts in results.items()}


def ours(scores: SemEvalScores) -> dict:
    """Our numbers in nervaluate's words, which don't know None."""
    report = scores.as_json()
    groups = {"overall": {scheme: report[scheme] for scheme in SemEvalScheme}, **report["by_type"]}
    return {
        group: {scheme: {name: value or 0 for name, value in counts.items()} for scheme, counts in schemes.items()}
        for group, schemes in groups.items()
    }


def assert_equal(first: dict, second: dict) -> None:
    assert first.keys() == second.keys()
    for group, schemes in first.items():
        for scheme, counts in schemes.items():
            assert counts == pytest.approx(second[group][scheme]), (group, scheme)


@given(documents(), documents())
def test_equals_nervaluate(gold, predicted):
    theirs = {group: numbers(results) for group, results in nervaluate(gold, predicted).items()}
    assert_equal(ours(score(gold, predicted)), theirs)


@given(documents(12), documents(12))
def test_equals_nervaluate_where_everything_overlaps(gold, predicted):
    theirs = {group: numbers(results) for group, results in nervaluate(gold, predicted).items()}
    assert_equal(ours(score(gold, predicted)), theirs)


@given(st.lists(spans(500), max_size=5), st.lists(spans(500), max_size=5))
def test_equals_nervaluate_where_an_overlap_is_less_than_a_hundredth(gold, predicted):
    theirs = {group: numbers(results) for group, results in nervaluate([gold], [predicted]).items()}
    assert_equal(ours(score([gold], [predicted])), theirs)


@given(documents(), documents())
def test_leaves_out_ignored_types_as_nervaluate_leaves_out_other_tags(gold, predicted):
    theirs = {group: numbers(results) for group, results in nervaluate(gold, predicted, LABELS[:2]).items()}
    assert_equal(ours(score(gold, predicted, ignored=frozenset(LABELS[2:]))), theirs)


def test_one_shared_character_of_a_long_span_is_no_overlap():
    long, other = span(0, 101), span(100, 110)
    assert score([[long]], [[other]]).overall[SemEvalScheme.PARTIAL].missed == 1
    assert score([[span(1, 101)]], [[other]]).overall[SemEvalScheme.PARTIAL].partial == 1


def test_neighbours_do_not_overlap():
    counts = score([[span(0, 5)]], [[span(5, 10)]]).overall[SemEvalScheme.ENT_TYPE]
    assert (counts.correct, counts.missed, counts.spurious) == (0, 1, 1)


def test_an_earlier_bad_match_takes_the_gold_span_away():
    """nervaluate's greed: the second prediction is perfect and comes too late."""
    counts = score([[span(0, 10)]], [[span(0, 4), span(0, 10)]]).overall[SemEvalScheme.STRICT]
    assert (counts.correct, counts.incorrect, counts.spurious) == (0, 1, 1)


def test_another_label_is_incorrect_overall_but_missed_and_spurious_by_type():
    scores = score([[span(0, 5, "LOC")]], [[span(0, 5, "PERSON")]])
    assert scores.overall[SemEvalScheme.ENT_TYPE].incorrect == 1
    assert scores.by_type["LOC"][SemEvalScheme.ENT_TYPE].missed == 1
    assert scores.by_type["PERSON"][SemEvalScheme.ENT_TYPE].spurious == 1


def test_nothing_to_count_is_undefined():
    nothing = score([[]], [[]]).as_json()["strict"]
    assert (nothing["precision"], nothing["recall"], nothing["f1"]) == (None, None, None)
    silent = score([[span(0, 5)]], [[]]).as_json()["strict"]
    assert (silent["precision"], silent["recall"], silent["f1"]) == (None, 0.0, 0.0)


@given(documents())
def test_perfect_predictions_miss_nothing_that_is_marked_once(gold):
    distinct = [list({(s.start, s.end, s.label): s for s in document}.values()) for document in gold]
    for counts in score(distinct, distinct).overall.values():
        assert counts.missed == counts.spurious == 0
