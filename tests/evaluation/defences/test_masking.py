"""Masks: every character outside the spans stays."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.defences.masking import MaskedSpan, by_stars, by_tag, mask, masked_characters, merge

TYPES = st.sampled_from(["LOCATION", "PERSON", "age"])
SPANS = st.lists(st.builds(MaskedSpan, st.integers(-3, 30), st.integers(-3, 30), TYPES), max_size=8)


@given(st.text(max_size=25), SPANS)
def test_unmasked_characters_stay_and_masked_ones_go(body, spans):
    is_masked = [any(span.start <= at < span.end for span in spans) for at in range(len(body))]
    expected = "".join("\0" if hidden else character for character, hidden in zip(body, is_masked, strict=True))
    assert mask(body, spans, lambda _, text: "\0" * len(text)) == expected
    assert masked_characters(body, spans) == sum(is_masked)


@given(SPANS)
def test_merged_spans_neither_overlap_nor_touch_and_order_makes_no_difference_to_places(spans):
    merged = merge(spans)
    assert all(first.end < second.start for first, second in itertools.pairwise(merged))
    places = [(span.start, span.end) for span in merged]
    assert [(span.start, span.end) for span in merge(reversed(spans))] == places


def test_the_longest_span_gives_the_type():
    spans = [MaskedSpan(0, 3, "PERSON"), MaskedSpan(3, 10, "LOCATION"), MaskedSpan(4, 11, "NRP")]
    assert merge(spans) == [MaskedSpan(0, 11, "LOCATION")]


@pytest.mark.parametrize(
    ("replace", "expected"), [(by_tag, "I live in [PLACE_OF_BIRTH]."), (by_stars, "I live in ****.")]
)
def test_replacements(replace, expected):
    assert mask("I live in Oslo.", [MaskedSpan(10, 14, "place_of_birth")], replace) == expected


def test_an_empty_text_stays_empty():
    assert mask("", [MaskedSpan(0, 4, "PERSON")], by_tag) == ""


def test_types_make_safe_tags():
    assert by_tag("us-ssn ]", "") == "[US_SSN_]"
