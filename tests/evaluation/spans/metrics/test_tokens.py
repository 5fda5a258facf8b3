"""Tokens: words where there are texts, characters where there are none, counted one by one as a check."""

import re

import pytest
from hypothesis import given

from evaluation.spans.metrics.texts import build_texts
from evaluation.spans.metrics.tokens import TokenScores, TokenUnit, score_tokens
from tests.evaluation.spans.metrics.documents import LABELS, TEXT, Side, documents, span, tables

TEXTS = (TEXT, TEXT[::-1])


def score(gold: Side, predicted: Side, texts=TEXTS, **options) -> TokenScores:
    first, second, _ = tables(gold, predicted)
    return score_tokens(first, second, build_texts(texts) if texts else None, **options)


def touches(side, word: re.Match[str], labels) -> bool:
    return any(s.start < word.end() and word.start() < s.end and s.label in labels for s in side)


def count_by_hand(gold: Side, predicted: Side, labels=LABELS, pattern=r"\w+") -> tuple[int, int, int]:
    """Hits, predicted and gold tokens."""
    marks = [
        (touches(first, word, labels), touches(second, word, labels))
        for text, first, second in zip(TEXTS, gold, predicted, strict=True)
        for word in re.finditer(pattern, text)
    ]
    return sum(g and p for g, p in marks), sum(p for _, p in marks), sum(g for g, _ in marks)


def totals(counts) -> tuple[int, int, int]:
    return counts.hits.sum(), counts.predicted.sum(), counts.gold.sum()


@given(documents(), documents())
def test_counts_words_as_a_person_would(gold, predicted):
    scores = score(gold, predicted)
    assert totals(scores.overall) == count_by_hand(gold, predicted)
    for label, counts in scores.by_type.items():
        assert totals(counts) == count_by_hand(gold, predicted, {label})


@given(documents(), documents())
def test_counts_characters_without_texts(gold, predicted):
    scores = score(gold, predicted, texts=None)
    assert scores.unit == TokenUnit.CHARACTERS
    assert totals(scores.overall) == count_by_hand(gold, predicted, pattern=r".")


@given(documents(), documents())
def test_counts_per_document_add_up(gold, predicted):
    whole = score(gold, predicted).overall
    for row in range(2):
        part = score(gold[row : row + 1], predicted[row : row + 1], texts=TEXTS[row : row + 1]).overall
        assert totals(part) == (whole.hits[row], whole.predicted[row], whole.gold[row])


@given(documents())
def test_perfect_predictions_have_recall_and_precision_one(gold):
    overall = score(gold, gold).overall
    assert overall.recall.value == overall.precision.value == overall.f_score(2).value
    assert overall.recall.value in (1.0, None)


@given(documents())
def test_no_predictions_have_recall_zero_and_no_precision(gold):
    overall = score(gold, [[], []]).overall
    assert overall.precision.value is None
    assert overall.recall.value == (0.0 if overall.gold.any() else None)


def test_f2_weighs_recall_four_times_as_much():
    overall = score([[span(4, 16)]], [[span(4, 7), span(45, 48), span(49, 52)]], texts=[TEXT]).overall
    precision, recall = overall.precision.value, overall.recall.value
    assert (precision, recall) == (1 / 3, 1 / 2)
    assert overall.f_score(2).value == pytest.approx(5 * precision * recall / (4 * precision + recall))


def test_ignored_types_count_on_neither_side():
    gold, predicted = [[span(0, 3, "LOC"), span(4, 7)]], [[span(0, 7), span(45, 48, "LOC")]]
    scores = score(gold, predicted, texts=[TEXT], ignored=frozenset({"LOC"}))
    assert totals(scores.overall) == (1, 1, 1)
    assert list(scores.by_type) == ["PERSON"]


def test_words_of_any_script_are_words():
    text = "Жанна д_Арк, 東京 𝔸b"
    scores = score([[span(0, len(text))]], [[]], texts=[text])
    assert scores.overall.gold.tolist() == [len(re.findall(r"\w+", text))]


def test_report_names_the_unit():
    report = score([[span(0, 3)]], [[span(0, 3)]], texts=[TEXT]).as_json()
    assert (report["unit"], report["precision"]["value"], report["by_type"][0]["type"]) == ("words", 1.0, "PERSON")
