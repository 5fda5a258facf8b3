"""The ECHR study's figures, and what they owe to its rule."""

import json
import os
from pathlib import Path

import pytest

from evaluation.spans.labels import LabelMode
from evaluation.spans.records import LabelledSpan
from evaluation.spans.study import StudyCounts, count_as_study, count_phase1, phase1_scheme
from evaluation.spans.tables import build_tables, find_overlaps
from tests.evaluation.spans.cases import STUDY, Documents, parse

REAL = os.environ.get("TAB_GOLD", ""), os.environ.get("TAB_PRESIDIO", "")


def counts(gold: Documents, predicted: Documents, labels: LabelMode = LabelMode.STRICT) -> StudyCounts:
    first, second = build_tables(gold, predicted)
    return count_as_study(first, second, find_overlaps(first, second), STUDY, labels=labels, threshold=0.3)


def test_relaxed_matches_enlarge_the_denominator():
    gold, predicted = [parse("ORG 0-10, LOC 20-30")], [parse("LOC 0-10, LOC 20-30")]
    strict, relaxed = counts(gold, predicted), counts(gold, predicted, LabelMode.RELAXED)
    assert (strict.tp, strict.fp, strict.fn, strict.relaxed_matches) == (1, 1, 0, 0)
    assert (relaxed.tp, relaxed.fp, relaxed.fn, relaxed.relaxed_matches) == (2, 0, 0, 1)
    assert relaxed.denominator - strict.denominator == relaxed.relaxed_matches
    assert relaxed.by_type == (("LOC", 1, 0, 0), ("ORG", 1, 0, 0))


def test_scores_are_micro_averages_of_gold_side_counts():
    figures = counts([parse("PERSON 0-20, PERSON 30-40")], [parse("PERSON 0-5, PERSON 6-20, URL 50-60")]).as_json()
    assert (figures["tp"], figures["fp"], figures["fn"]) == (1, 1, 1)
    assert (figures["precision"], figures["recall"], figures["f1"]) == (0.5, 0.5, 0.5)
    assert figures["by_type"]["URL"] == {"tp": 0, "fp": 1, "fn": 0}


def test_nothing_to_count_is_undefined():
    figures = counts([[]], [[]])
    assert (figures.precision, figures.recall, figures.f1) == (None, None, None)


def test_phase_1_wants_exact_positions_and_does_not_know_location():
    scheme = phase1_scheme(STUDY)
    names = [scheme.mapped(label) for label in ("LOCATION", "DATE_TIME", "LOC")]
    assert names == ["LOCATION", "DATETIME", "LOC"]
    gold = parse("LOC 0-5, DATETIME 10-15, DATETIME 20-25, CODE 40-44")
    predicted = parse("LOCATION 0-5, DATETIME 10-15, DATETIME 20-24, CODE 50-54")
    first, second = build_tables([gold], [predicted])
    figures = count_phase1(first, second, find_overlaps(first, second), scheme)
    assert (figures.tp, figures.fp, figures.fn) == (1, 2, 2)


def read(gold: Path, predicted: Path) -> tuple[Documents, Documents]:
    texts, output = (json.loads(path.read_text()) for path in (gold, predicted))
    mentions = [[m for a in text["annotations"].values() for m in a["entity_mentions"]] for text in texts]
    triples = [[(m["start_offset"], m["end_offset"], m["entity_type"]) for m in spans] for spans in mentions]
    return mapped(triples), mapped([output[text["doc_id"]] for text in texts])


def mapped(documents: list) -> Documents:
    return [[LabelledSpan(start, end, STUDY.mapped(label)) for start, end, label in spans] for spans in documents]


@pytest.mark.skipif(not all(REAL), reason="TAB_GOLD and TAB_PRESIDIO name no files")
def test_published_presidio_output_on_tab_scores_to_the_digit():
    gold, predicted = read(*map(Path, REAL))
    strict, relaxed = counts(gold, predicted), counts(gold, predicted, LabelMode.RELAXED)
    assert (strict.tp, strict.fp, strict.fn, round(strict.f1, 4)) == (2745, 554, 298, 0.8657)
    assert (relaxed.tp, relaxed.fp, relaxed.fn, round(relaxed.f1, 4)) == (2893, 393, 298, 0.8933)
    assert relaxed.relaxed_matches == relaxed.denominator - strict.denominator == 148
