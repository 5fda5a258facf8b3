"""The random control masks exactly as many characters as it should."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.defences.controls import imitated_method, random_spans
from evaluation.defences.masking import masked_characters
from evaluation.defences.recipes import Method

BODIES = st.lists(st.text(alphabet="ab cdé.\n", max_size=30), max_size=5)


def total(bodies, spans):
    return sum(masked_characters(body, members) for body, members in zip(bodies, spans, strict=True))


@given(BODIES, st.integers(0, 120), st.integers(0, 5))
def test_the_number_of_characters_is_exact(bodies, budget, seed):
    spans = random_spans(bodies, budget, np.random.default_rng(seed))
    assert total(bodies, spans) == min(budget, sum(map(len, bodies)))


@given(BODIES, st.data())
def test_a_budget_for_each_body_is_exact_for_each(bodies, data):
    budgets = [data.draw(st.integers(0, 40)) for _ in bodies]
    spans = random_spans(bodies, budgets, np.random.default_rng(1))
    masked = [masked_characters(body, members) for body, members in zip(bodies, spans, strict=True)]
    assert masked == [min(budget, len(body)) for budget, body in zip(budgets, bodies, strict=True)]


def test_whole_words_where_they_fit():
    (spans,) = random_spans(["four more word here"], 8, np.random.default_rng(3))
    assert [span.length for span in spans] == [4, 4]


def test_the_same_seed_draws_the_same():
    draws = [random_spans(["some words to choose from"], 9, np.random.default_rng(5)) for _ in range(2)]
    assert draws[0] == draws[1]


@pytest.mark.parametrize(
    ("methods", "has_detections", "imitated"),
    [
        ([Method.EVIDENCE, Method.DETECTIONS], True, Method.DETECTIONS),
        ([Method.EVIDENCE, Method.RANDOM], True, Method.EVIDENCE),
        ([Method.BOTH, Method.RANDOM], True, Method.BOTH),
        ([Method.NONE, Method.RANDOM], True, Method.DETECTIONS),
        ([Method.RANDOM], False, Method.EVIDENCE),
    ],
)
def test_the_control_follows_detections_before_evidence(methods, has_detections, imitated):
    assert imitated_method(methods, has_detections=has_detections) is imitated
