"""Confusion: every scored span is in exactly one cell, or is part of a compound."""

from hypothesis import given

from evaluation.spans.labels import LabelMode, LabelScheme
from evaluation.spans.matching import MatchRule, Method
from evaluation.spans.metrics.confusion import Confusion, count_confusion
from tests.evaluation.spans.metrics.documents import documents, span, tables


def count(gold, predicted, ignored=frozenset()) -> Confusion:
    rule = MatchRule(Method.R1, LabelMode.STRICT)
    return count_confusion(*tables(gold, predicted), LabelScheme("test", ignored=ignored), rule)


def test_shows_what_is_taken_for_what():
    gold = [[span(0, 5, "LOC"), span(10, 15, "LOC"), span(20, 25, "PERSON")]]
    predicted = [[span(0, 5, "PERSON"), span(10, 15, "LOC"), span(30, 35, "PERSON")]]
    assert count(gold, predicted).as_json() == {
        "labels": ["LOC", "PERSON"],
        "rows": [[1, 1, 0], [0, 0, 1], [0, 1, 0]],  # the last column is missed, the last row spurious
    }


def test_a_gold_span_that_two_predictions_cover_counts_once():
    confusion = count([[span(0, 20)]], [[span(0, 4), span(5, 9, "LOC")]])
    assert (confusion.labels, confusion.rows) == (("PERSON",), ((1, 0), (0, 0)))


def test_ignored_spans_are_left_out():
    gold, predicted = [[span(0, 5, "ORG"), span(10, 15)]], [[span(0, 5, "LOC")]]
    assert count(gold, predicted, frozenset({"ORG"})).rows == ((0, 1), (0, 0))


@given(documents())
def test_every_gold_span_is_in_one_row(gold):
    rows = count(gold, [[span(0, 9)], [span(3, 30, "LOC")]]).rows
    assert sum(map(sum, rows[:-1])) == sum(map(len, gold))


def test_nothing_gives_one_empty_cell():
    assert count([[]], [[]]).rows == ((0,),)
