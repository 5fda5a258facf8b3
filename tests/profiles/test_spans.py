"""Spans: half-open, in code points, and the same everywhere."""

from hypothesis import given
from hypothesis import strategies as st

from profiles.spans import EntitySpan, Span

BODY = "aé😀\r\nb "
positions = st.integers(0, 12)
spans = st.builds(lambda first, second: Span(*sorted((first, second))), positions, positions)


def characters(span: Span) -> set[int]:
    return set(range(span.start, span.end))


@given(spans)
def test_has_as_many_characters_as_it_is_long(span):
    assert span.length == len(characters(span)) == len(span.text_of("x" * 12))


@given(spans, spans)
def test_overlap_is_a_shared_character(left, right):
    assert left.overlaps(right) == right.overlaps(left) == bool(characters(left) & characters(right))


@given(spans, spans)
def test_covers_what_has_no_character_of_its_own(outer, inner):
    if outer.covers(inner):
        assert characters(inner) <= characters(outer)
    elif inner.length:
        assert not characters(inner) <= characters(outer)


@given(st.text(BODY, max_size=20), spans)
def test_text_counts_code_points(body, span):
    assert span.text_of(body) == "".join(body[at] for at in range(len(body)) if at in characters(span))


@given(st.lists(spans))
def test_order_is_that_of_the_text(some):
    ordered = sorted(some)
    assert ordered == sorted(some, key=lambda span: (span.start, span.end))
    assert [EntitySpan(span.start, span.end, "PERSON", 0.5) for span in ordered] == sorted(
        EntitySpan(span.start, span.end, "PERSON", 0.5) for span in some
    )


def test_stays_as_it_is_and_can_be_kept_in_a_set():
    assert len({Span(1, 2), Span(1, 2), Span(1, 3)}) == 2
    assert EntitySpan(1, 2, "PERSON", 0.5) != EntitySpan(1, 2, "NRP", 0.5)
    assert not hasattr(Span(1, 2), "__dict__")
