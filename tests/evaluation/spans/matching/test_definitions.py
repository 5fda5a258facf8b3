"""Matching agrees with its definition, spelled out in loops, on whatever spans there are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.matching import Method
from tests.evaluation.spans.cases import STUDY, documents, match_documents, rules
from tests.evaluation.spans.matching.reference import match_as_study, match_by_definition, order


@given(documents(), documents(), rules(Method.COMPAT))
def test_compat_is_the_studys_loop(gold, predicted, rule):
    matching = match_documents(gold, predicted, rule)
    expected = [match_as_study(*spans, STUDY, rule) for spans in zip(gold, predicted, strict=True)]
    states = (matching.gold.tolist(), matching.predicted.tolist(), matching.relaxed.tolist())
    assert states == tuple([state for part in parts for state in part] for parts in zip(*expected, strict=True))


@pytest.mark.parametrize("method", [Method.EXACT, Method.IOU, Method.R1])
@given(documents(), documents(), st.data())
def test_other_methods_are_their_definition(method, gold, predicted, data):
    gold, predicted = ([sorted(spans, key=order) for spans in side] for side in (gold, predicted))
    rule = data.draw(rules(method))
    matching = match_documents(gold, predicted, rule)
    expected = [match_by_definition(*spans, STUDY, rule) for spans in zip(gold, predicted, strict=True)]
    states = (matching.gold.tolist(), matching.predicted.tolist(), matching.relaxed.tolist())
    assert states == tuple([state for part in parts for state in part] for parts in zip(*expected, strict=True))
