"""Which marks are shown, and that cutting loses nothing."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.highlights import Highlight, Segment, layered, occurrences, segments, winners
from profiles.spans import EntitySpan, Span


def mark(start, end, entity_type="PERSON", score=0.85):
    return EntitySpan(start, end, entity_type, score)


@st.composite
def texts_with_marks(draw):
    text = draw(st.text(max_size=60))
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    kinds, scores = st.sampled_from(["A", "B", "C"]), st.sampled_from([0.0, 0.4, 0.85, 1.0])
    marks = st.builds(lambda place, kind, score: EntitySpan(min(place), max(place), kind, score), places, kinds, scores)
    return text, draw(st.lists(marks, max_size=12))


@given(texts_with_marks())
def test_no_character_is_lost_or_moved(case):
    text, marks = case
    assert "".join(segment.text for segment in segments(text, marks)) == text


@given(texts_with_marks())
def test_what_is_marked_is_what_the_mark_says(case):
    text, marks = case
    assert [(s.text, s.mark) for s in segments(text, marks) if s.mark] == [
        (text[m.start : m.end], m) for m in winners(marks)
    ]


@given(texts_with_marks())
def test_no_two_shown_marks_overlap_and_they_stand_in_order(case):
    shown = winners(case[1])
    assert all(left.end <= right.start for left, right in pairwise(shown))


@given(texts_with_marks())
def test_what_is_not_shown_lost_to_a_mark_that_is(case):
    def rank(m):
        return (m.start - m.end, -m.score, m.entity_type, m.start)

    shown = winners(case[1])
    for lost in case[1]:
        if lost not in shown and lost.start < lost.end:
            rivals = [m for m in shown if m.start < lost.end and lost.start < m.end]
            assert min(map(rank, rivals)) <= rank(lost)


@given(texts_with_marks(), st.randoms())
def test_the_order_in_which_marks_come_makes_no_difference(case, random):
    text, marks = case
    mixed = random.sample(marks, len(marks))
    assert segments(text, mixed) == segments(text, marks)


@pytest.mark.parametrize(
    ("marks", "shown"),
    [
        ([], []),
        ([mark(0, 3), mark(5, 9)], [mark(0, 3), mark(5, 9)]),
        ([mark(5, 9), mark(0, 5)], [mark(0, 5), mark(5, 9)]),  # side by side is no overlap
        ([mark(0, 3, score=1.0), mark(2, 9, score=0.1)], [mark(2, 9, score=0.1)]),  # the longest
        ([mark(0, 4, score=0.4), mark(2, 6, score=0.9)], [mark(2, 6, score=0.9)]),  # then the higher score
        ([mark(0, 4, "PERSON"), mark(2, 6, "LOCATION")], [mark(2, 6, "LOCATION")]),  # then the type by its name
        ([mark(2, 6), mark(0, 4)], [mark(0, 4)]),  # then the earlier start
        ([mark(0, 9), mark(0, 2), mark(4, 6), mark(8, 12)], [mark(0, 9)]),
        ([mark(3, 6), mark(0, 4), mark(5, 9)], [mark(0, 4), mark(5, 9)]),  # who lost stands in nobody's way
    ],
)
def test_the_rule(marks, shown):
    assert winners(marks) == shown


def test_counts_code_points():
    text = "😀 in Oslo"
    assert segments(text, [mark(5, 9)]) == [Segment("😀 in "), Segment("Oslo", mark(5, 9))]


@pytest.mark.parametrize("odd", [mark(2, 2), mark(-3, 2), mark(9, 20), mark(50, 60), mark(5, 1)])
def test_a_mark_that_cannot_be_loses_nothing(odd):
    assert "".join(segment.text for segment in segments("I live in Oslo", [odd])) == "I live in Oslo"


def test_an_empty_text_has_no_segments():
    assert segments("", []) == []


# ── Further layers: evidence and hits ────────────────────────────────────────
@st.composite
def texts_with_layers(draw):
    text, marks = draw(texts_with_marks())
    places = st.tuples(st.integers(0, len(text) + 3), st.integers(0, len(text) + 3))
    highlights = st.builds(
        lambda place, meaning: Highlight(min(place), max(place), meaning),
        places,
        st.sampled_from(["age", "sex", "hit"]),
    )
    return text, marks, draw(st.lists(highlights, max_size=6))


@given(texts_with_layers())
def test_no_character_is_lost_whatever_lies_over_it(case):
    text, marks, highlights = case
    assert "".join(piece.text for piece in layered(text, marks, highlights)) == text


@given(texts_with_layers())
def test_each_character_has_the_meanings_of_what_covers_it(case):
    text, marks, highlights = case
    at = 0
    for piece in layered(text, marks, highlights):
        for place in range(at, at + len(piece.text)):
            assert set(piece.meanings) == {s.meaning for s in highlights if s.start <= place < s.end}
        at += len(piece.text)


@given(texts_with_layers())
def test_a_mark_that_is_cut_begins_once(case):
    text, marks, highlights = case
    pieces = layered(text, marks, highlights)
    assert sum(1 for piece in pieces if piece.mark and not piece.goes_on) == len(winners(marks))
    assert not any(piece.goes_on for piece in pieces if piece.mark is None)


def test_words_are_found_in_any_case_and_special_signs_are_only_signs():
    assert occurrences("Wow. wow? WOW", "wow") == [Span(0, 3), Span(5, 8), Span(10, 13)]
    assert occurrences("a.b axb", "a.b") == [Span(0, 3)]
    assert occurrences("anything", "") == []
    assert len(occurrences("x" * 1000, "x")) == 200
