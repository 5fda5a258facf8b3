"""Levels of labels: the coarser, the kinder."""

import pytest
from hypothesis import given

from evaluation.spans.labels import IgnorePolicy, LabelMode, LabelScheme
from evaluation.spans.matching import MatchRule, Method
from evaluation.spans.metrics.levels import LevelScores, score_levels
from tests.evaluation.spans.metrics.documents import LABELS, documents, span, tables

BRANCHES = {"LOC": "PLACE", "CITY": "PLACE", "PERSON": "WHO"}


def score(gold, predicted, *, ignored=frozenset(), branches=BRANCHES, policy=IgnorePolicy.SYMMETRIC) -> LevelScores:
    scheme = LabelScheme("test", branches=branches, ignored=ignored)
    return score_levels(*tables(gold, predicted), scheme, MatchRule(Method.R1, LabelMode.STRICT, ignore=policy))


def test_each_level_forgives_more():
    gold = [[span(0, 5, "LOC"), span(10, 15, "LOC"), span(20, 25, "LOC")]]
    predicted = [[span(0, 5, "LOC"), span(10, 15, "CITY"), span(20, 25, "PERSON")]]
    levels = score(gold, predicted)
    shares = [level.recall for level in (levels.leaf, levels.branch, levels.binary)]
    assert shares == pytest.approx([1 / 3, 2 / 3, 1])


def test_a_label_without_a_branch_is_its_own():
    levels = score([[span(0, 5, "LOC")]], [[span(0, 5, "CITY")]], branches={})
    assert levels.branch == levels.leaf


def test_a_branch_named_like_an_ignored_label_is_scored():
    gold = [[span(0, 5, "LOC"), span(10, 15, "PLACE")]]
    levels = score(gold, [[]], ignored=frozenset({"PLACE"}))
    assert levels.branch.recall == levels.leaf.recall == 0.0
    assert score([[span(10, 15, "PLACE")]], [[]], ignored=frozenset({"PLACE"})).branch.recall is None


def test_ignored_labels_have_branches_where_all_types_are_scored():
    levels = score([[span(0, 5, "LOC")]], [[span(0, 5, "CITY")]], ignored=frozenset({"LOC"}), policy=IgnorePolicy.NONE)
    assert levels.branch.recall == 1.0


@given(documents(), documents())
def test_a_single_branch_for_all_labels_is_binary(gold, predicted):
    """Unless predictions repeat a place: with one label for all, they are duplicates."""
    distinct = [list({(s.start, s.end): s for s in document}.values()) for document in predicted]
    levels = score(gold, distinct, branches=dict.fromkeys(LABELS, "ALL"))
    assert levels.branch == levels.binary


def test_report_has_three_levels():
    report = score([[span(0, 5)]], [[span(0, 5)]]).as_json()
    assert {name: level["f1"] for name, level in report.items()} == {"binary": 1.0, "branch": 1.0, "leaf": 1.0}
