"""Leakage: which characters of personal information stay readable."""

import numpy as np
from hypothesis import given

from evaluation.spans.metrics.leakage import Leakage, measure_leakage
from tests.evaluation.spans.metrics.documents import TEXT, Side, documents, span, tables

LENGTHS = np.array([len(TEXT)] * 2)


def measure(gold: Side, predicted: Side, lengths=LENGTHS, **options) -> Leakage:
    first, second, _ = tables(gold, predicted)
    return measure_leakage(first, second, lengths, **options)


def positions(side) -> set[int]:
    return {position for s in side for position in range(s.start, s.end)}


@given(documents(), documents())
def test_counts_every_character_once(gold, predicted):
    leakage = measure(gold, predicted)
    for row in range(2):
        personal, masked = positions(gold[row]), positions(predicted[row])
        assert leakage.gold[row] == len(personal)
        assert leakage.uncovered[row] == len(personal - masked)
        assert leakage.masked[row] == len(masked)


@given(documents())
def test_perfect_predictions_leak_nothing(gold):
    assert measure(gold, gold).rate.value in (0.0, None)


@given(documents())
def test_no_predictions_leak_everything(gold):
    leakage = measure(gold, [[], []])
    assert leakage.rate.value == (1.0 if any(gold) else None)
    assert leakage.masked_share.value == 0.0


@given(documents())
def test_masking_everything_leaks_nothing_and_masks_the_whole_text(gold):
    leakage = measure(gold, [[span(0, len(TEXT))]] * 2)
    assert leakage.rate.value in (0.0, None)
    assert leakage.masked_share.value == 1.0


def test_ignored_types_are_not_personal_but_their_predictions_mask():
    gold, predicted = [[span(0, 5, "ORG"), span(10, 20)]], [[span(10, 15, "ORG")]]
    leakage = measure(gold, predicted, LENGTHS[:1], ignored=frozenset({"ORG"}))
    assert (leakage.gold.sum(), leakage.uncovered.sum()) == (10, 5)


def test_masked_share_needs_texts():
    report = measure([[span(0, 5)]], [[span(0, 2)]], None).as_json()
    assert (report["characters"], report["uncovered"], report["masked_share"]) == (5, 3, None)
    assert report["rate"]["value"] == 0.6
