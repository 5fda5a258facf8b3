"""Errors: each imperfect span is in one kind, with its text and the words around it."""

import pytest
from hypothesis import given

from evaluation.spans.errors.excerpts import CONTEXT, Excerpt, excerpt
from evaluation.spans.errors.items import ErrorAnalysis, ErrorItem, FrequentString, analyse_errors
from evaluation.spans.errors.kinds import ErrorKind
from evaluation.spans.labels import LabelMode, LabelScheme
from evaluation.spans.matching import MatchRule, Method, match
from tests.evaluation.spans.metrics.documents import TEXT, documents, span, tables

RULE = MatchRule(Method.R1, LabelMode.STRICT)


def analyse(gold, predicted, texts=None, **options) -> ErrorAnalysis:
    gold_table, predicted_table, overlaps = tables(gold, predicted)
    matching = match(gold_table, predicted_table, overlaps, LabelScheme("test"), RULE)
    texts = texts or [TEXT] * len(gold)
    names = [f"doc-{row}" for row in range(len(gold))]
    return analyse_errors(
        gold_table, predicted_table, overlaps, matching, names=names, texts=texts, threshold=RULE.threshold, **options
    )


def only_item(gold, predicted) -> ErrorItem:
    (item,) = analyse([gold], [predicted]).items
    return item


def test_a_missed_span():
    item = only_item([span(4, 16)], [])
    assert (item.kind, item.text, item.label, item.other_start) == (ErrorKind.MISSED, "Ada Lovelace", "PERSON", None)
    assert (item.document, item.before, item.after[:4]) == ("doc-0", "Mrs ", ", of")


def test_a_spurious_span():
    item = only_item([], [span(4, 16, "LOC")])
    assert (item.kind, item.text, item.label, item.other_label) == (ErrorKind.SPURIOUS, "Ada Lovelace", "LOC", "")


def test_the_same_place_under_another_label_is_one_error():
    item = only_item([span(4, 16)], [span(0, 16, "LOC")])
    assert (item.kind, item.label, item.other_label) == (ErrorKind.WRONG_TYPE, "PERSON", "LOC")
    assert (item.start, item.end, item.other_start, item.other_end) == (4, 16, 0, 16)
    assert "LOC" in item.note


def test_another_label_that_hardly_overlaps_is_two_errors():
    assert {item.kind for item in analyse([[span(4, 16)]], [[span(15, 40, "LOC")]]).items} == {
        ErrorKind.MISSED,
        ErrorKind.SPURIOUS,
    }


@pytest.mark.parametrize(
    ("predicted", "note"),
    [
        ([span(0, 16)], "IoU of 0.75"),
        ([span(15, 40)], "Not matched"),
        ([span(4, 7), span(8, 10)], "compound"),
    ],
)
def test_the_same_label_with_other_boundaries(predicted, note):
    item = only_item([span(4, 16)], predicted)
    assert item.kind == ErrorKind.BOUNDARY
    assert note in item.note


def test_the_closest_pair_explains_an_error():
    """The label is wrong here; that another person begins at the last letter is a mistake of its own."""
    counts = analyse([[span(4, 16)]], [[span(4, 16, "LOC"), span(15, 40)]]).counts
    assert (counts[ErrorKind.WRONG_TYPE], counts[ErrorKind.SPURIOUS], counts[ErrorKind.BOUNDARY]) == (1, 1, 0)


def test_a_perfect_match_is_no_error():
    assert analyse([[span(4, 16)]], [[span(4, 16)]]).items == ()


@given(documents(), documents())
def test_every_span_that_is_not_matched_is_in_one_error(gold, predicted):
    gold_table, predicted_table, overlaps = tables(gold, predicted)
    matching = match(gold_table, predicted_table, overlaps, LabelScheme("test"), RULE)
    counts = analyse(gold, predicted).counts
    items = analyse(gold, predicted).items
    unmatched = sum(item.kind == ErrorKind.BOUNDARY and "Not matched" in item.note for item in items)
    pairs = counts[ErrorKind.WRONG_TYPE] + unmatched
    assert counts[ErrorKind.MISSED] + pairs == (matching.gold == 0).sum()
    assert counts[ErrorKind.SPURIOUS] + pairs == (matching.predicted == 0).sum()


def test_items_are_limited_but_counts_are_not():
    gold = [[span(row, row + 1) for row in range(5)]]
    analysis = analyse(gold, [[]], limit=2)
    assert (len(analysis.items), analysis.counts[ErrorKind.MISSED]) == (2, 5)


def test_the_most_frequent_strings_come_first():
    text = "Bob met Eve, Bob\nSmith met Eve and Bob Smith."
    names = [span(0, 3), span(8, 11), span(13, 22), span(27, 30), span(35, 44)]
    frequent = analyse([names], [[]], [text]).frequent[ErrorKind.MISSED]
    expected = [("Bob Smith", 2), ("Eve", 2), ("Bob", 1)]
    assert frequent == tuple(FrequentString(string, "PERSON", count) for string, count in expected)


def test_report_has_counts_and_strings_but_no_context():
    report = analyse([[span(4, 16)]], [[]]).as_json()
    assert report["counts"] == {"missed": 1, "spurious": 0, "wrong_type": 0, "boundary": 0}
    assert report["frequent"]["missed"] == [{"text": "Ada Lovelace", "label": "PERSON", "count": 1}]
    assert set(report) == {"counts", "frequent"}


def test_works_without_texts():
    gold, predicted, overlaps = tables([[span(4, 16)]], [[]])
    matching = match(gold, predicted, overlaps, LabelScheme("test"), RULE)
    analysis = analyse_errors(gold, predicted, overlaps, matching, names=["a"], texts=[None], threshold=0.3)
    assert analysis.items[0].text == ""
    assert analysis.frequent[ErrorKind.MISSED] == ()


def test_context_is_cut_between_words():
    quote = excerpt("word " * 40, 100, 104)
    assert quote.text == "word"
    assert quote.before == "word " * 12
    assert quote.after == " word" * 12
    shifted = excerpt("word " * 40, 102, 104)
    assert (shifted.before, shifted.after) == (" word" * 11 + " wo", " word" * 12)


def test_context_of_an_endless_word_is_cut_anywhere():
    quote = excerpt("x" * 500, 200, 210)
    assert (len(quote.before), len(quote.after)) == (CONTEXT, CONTEXT)


def test_context_ends_with_the_text():
    assert excerpt("a bc d", 2, 4) == Excerpt("a ", "bc", " d")
