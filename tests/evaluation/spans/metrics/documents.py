"""Random documents with gold and predicted spans, crowded enough to overlap, touch and repeat."""

from collections.abc import Sequence

from hypothesis import strategies as st

from evaluation.spans.records import LabelledSpan
from evaluation.spans.tables import Overlaps, SpanTable, build_tables, find_overlaps

LABELS = ("PERSON", "LOC", "DATETIME")
TEXT = "Mrs Ada Lovelace, of St. James's Square, met Bob and the count's 2 aunts on 5 June 1833 – in rain."
Side = Sequence[Sequence[LabelledSpan]]


def span(start: int, end: int, label: str = "PERSON", **details: str) -> LabelledSpan:
    return LabelledSpan(start, end, label, **details)


@st.composite
def spans(draw: st.DrawFn, size: int = len(TEXT)) -> LabelledSpan:
    start = draw(st.integers(0, size - 1))
    return span(start, draw(st.integers(start + 1, size)), draw(st.sampled_from(LABELS)))


def documents(size: int = len(TEXT)) -> st.SearchStrategy[list[list[LabelledSpan]]]:
    """Spans of two documents."""
    return st.lists(st.lists(spans(size), max_size=7), min_size=2, max_size=2)


def tables(gold: Side, predicted: Side) -> tuple[SpanTable, SpanTable, Overlaps]:
    both = build_tables(gold, predicted)
    return (*both, find_overlaps(*both))
