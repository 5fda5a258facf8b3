"""Overlapping pairs: the same as two loops find, however spans nest, and within the bound."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans import tables as span_tables
from evaluation.spans.records import LabelledSpan
from evaluation.spans.tables import TooManyOverlaps, build_tables, find_overlaps, select_predictions
from tests.evaluation.spans.cases import Documents, documents, tables

FREE = st.builds(lambda start, length: LabelledSpan(start, start + length, "X"), st.integers(-3, 9), st.integers(0, 9))


def by_two_loops(gold: Documents, predicted: Documents) -> list[tuple[int, int, int]]:
    first = [(document, span) for document, spans in enumerate(gold) for span in spans]
    second = [(document, span) for document, spans in enumerate(predicted) for span in spans]
    return [
        (row, other_row, min(span.end, other.end) - max(span.start, other.start))
        for row, (document, span) in enumerate(first)
        for other_row, (other_document, other) in enumerate(second)
        if document == other_document and span.overlaps(other)
    ]


@given(st.lists(st.tuples(st.lists(FREE, max_size=8), st.lists(FREE, max_size=8)), min_size=1, max_size=4))
def test_overlaps_are_those_that_two_loops_find(pairs):
    """With empty spans and starts before the text, too."""
    gold, predicted = [first for first, _ in pairs], [second for _, second in pairs]
    overlaps = find_overlaps(*build_tables(gold, predicted))
    rows = list(zip(overlaps.gold.tolist(), overlaps.predicted.tolist(), overlaps.shared.tolist(), strict=True))
    assert rows == by_two_loops(gold, predicted)


@given(documents(), documents())
def test_chunks_make_no_difference(gold, predicted):
    first = find_overlaps(*build_tables(gold, predicted))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(span_tables, "CHUNK_SIZE", 2)
        second = find_overlaps(*build_tables(gold, predicted))
    for name in ("gold", "predicted", "shared"):
        assert np.array_equal(getattr(first, name), getattr(second, name))


def test_neighbours_and_other_documents_do_not_overlap():
    assert not len(find_overlaps(*tables("A 0-5", "A 5-9")).gold)
    assert not len(find_overlaps(*build_tables([[LabelledSpan(0, 5, "A")], []], [[], [LabelledSpan(0, 5, "A")]])).gold)


def test_too_many_pairs_are_refused_before_they_take_memory():
    nested = ", ".join(f"A {start}-{200_000 - start}" for start in range(1000))
    with pytest.raises(TooManyOverlaps, match="1,000,000 pairs"):
        find_overlaps(*tables(nested, nested), max_pairs=999_999)


def test_selected_predictions_keep_their_pairs():
    gold, predicted = tables("A 0-5, A 10-15", "A 0-5, A 3-4, A 12-20")
    kept, overlaps = select_predictions(predicted, find_overlaps(gold, predicted), np.array([False, True, True]))
    assert kept.starts.tolist() == [3, 12]
    assert (overlaps.gold.tolist(), overlaps.predicted.tolist(), overlaps.shared.tolist()) == ([0, 1], [0, 1], [1, 3])
