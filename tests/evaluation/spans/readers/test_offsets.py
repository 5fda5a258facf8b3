"""Offsets are checked, converted for whole documents, repaired, or set aside."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.readers.offsets import WHITESPACE, Unit, convert_offsets, fits
from evaluation.spans.readers.repair import REACH, move_to_quote
from evaluation.spans.records import LabelledSpan, ProblemKind
from tests.evaluation.spans.readers.files import TEXT, kinds, read_lines, read_text, spans_of

SMILE = "😀 Zoë and Ñandú met Bo 😀😀 in Paris; then Bo left."
WORDS = ["Zoë", "Ñandú", "Bo", "Paris", "left"]


def quoted(text: str, words: list[str], place: Any = len) -> list[dict[str, Any]]:
    """Spans over these words whose offsets count what `place` counts in the text before them."""
    starts = [(text.index(word), word) for word in words]
    return [
        {"start": place(text[:start]), "end": place(text[: start + len(word)]), "label": "X", "text": word}
        for start, word in starts
    ]


def utf_16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def utf_8(text: str) -> int:
    return len(text.encode())


@pytest.mark.parametrize(("place", "unit"), [(utf_16, Unit.UTF_16), (utf_8, Unit.BYTES), (len, None)])
def test_a_document_is_converted_as_a_whole(tmp_path, place, unit):
    file = read_lines(tmp_path, {"id": "a", "text": SMILE, "spans": quoted(SMILE, WORDS, place)})
    assert [SMILE[start:end] for start, end, _ in spans_of(file)] == WORDS
    assert kinds(file) == ({ProblemKind.OFFSETS_CONVERTED: 1} if unit else {})
    assert all(str(unit) in problem.detail for problem in file.problems)


def test_documents_of_one_file_may_count_differently(tmp_path):
    places = {"a": utf_16, "b": utf_8, "c": len}
    lines = [{"id": key, "text": SMILE, "spans": quoted(SMILE, WORDS, place)} for key, place in places.items()]
    file = read_lines(tmp_path, *lines)
    assert [[SMILE[start:end] for start, end, _ in spans_of(file, key)] for key in places] == [WORDS] * 3
    assert [problem.document for problem in file.problems] == ["a", "b"]


def test_spans_without_quote_are_converted_along(tmp_path):
    spans = quoted(SMILE, WORDS, utf_16)
    bare = {key: value for key, value in spans[3].items() if key != "text"}
    file = read_lines(tmp_path, {"id": "a", "text": SMILE, "spans": [*spans, bare]})
    assert spans_of(file)[-1] == spans_of(file)[3]


def test_a_few_that_fit_otherwise_convert_nothing(tmp_path):
    """One span fits in bytes, the others nowhere: most must fit."""
    wrong = [{"start": 2, "end": 5, "label": "X", "text": "nowhere"}] * 2
    file = read_lines(tmp_path, {"id": "a", "text": SMILE, "spans": [*quoted(SMILE, ["Paris"], utf_8), *wrong]})
    assert kinds(file) == {ProblemKind.REPAIRED: 1, ProblemKind.TEXT_DIFFERS: 2}


def test_utf_16_needs_a_character_beyond_the_basic_plane():
    text = "é Bo"
    spans = [LabelledSpan(3, 5, "X", text="Bo")]
    assert convert_offsets(spans, text)[0] == Unit.BYTES
    assert convert_offsets(spans, "e Bo")[0] is None


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.data())
def test_conversion_is_undone_exactly(text, data):
    """Whatever the text, spans fit again; if no character stands in it twice, they come back, from every unit."""
    places = st.integers(0, len(text))
    ends = data.draw(st.lists(st.tuples(places, places).map(sorted), min_size=1, max_size=5))
    spans = [LabelledSpan(start, end, "X", text=text[start:end]) for start, end in ends if start < end]
    for place in (utf_16, utf_8):
        moved = [replace(span, start=place(text[: span.start]), end=place(text[: span.end])) for span in spans]
        _, back = convert_offsets(moved, text)
        assert all(fits(span, text) for span in back)
        if len(set(text)) == len(text) and not set(text) & set(map(chr, WHITESPACE)):
            assert list(back) == spans


@pytest.mark.parametrize("text", ["𐀀00000", "é Bo"])
def test_an_end_beyond_the_text_does_not_fit(text):
    """A slice stops at the end of the text, so that the quote alone would not tell."""
    assert not fits(LabelledSpan(len(text) - 2, len(text) + 1, "X", text=text[-2:]), text)


# ── Repair ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("start", "expected"),
    [(0, 3), (3, 3), (5, 3), (6, 3), (7, 10), (99, 10), (10 + REACH, 10), (10 + REACH + 1, None)],
)
def test_the_nearest_occurrence_is_taken(start, expected):
    moved = move_to_quote(LabelledSpan(start, start + 2, "X", text="Bo"), "...Bo.....Bo...")
    assert (moved and moved.start) == expected


def test_a_repaired_span_gets_the_length_of_its_quote(tmp_path):
    span = {"start": 15, "end": 17, "label": "LOC", "text": "Paris"}
    file = read_lines(tmp_path, {"id": "a", "text": TEXT, "spans": [span]})
    assert spans_of(file) == [(14, 19, "LOC")]
    assert (file.problems[0].kind, file.problems[0].start) == (ProblemKind.REPAIRED, 14)


def test_line_breaks_and_spaces_are_the_same(tmp_path):
    span = {"start": 0, "end": 8, "label": "LOC", "text": "New York"}
    file = read_lines(tmp_path, {"id": "a", "text": "New\nYork and New York", "spans": [span]})
    assert (spans_of(file), file.problems) == ([(0, 8, "LOC")], ())


@pytest.mark.parametrize(
    ("span", "kind"),
    [
        ({"start": 5, "end": 5}, ProblemKind.EMPTY),
        ({"start": 5, "end": 3}, ProblemKind.EMPTY),
        ({"start": 18, "end": 21}, ProblemKind.OUT_OF_RANGE),
        ({"start": -1, "end": 3}, ProblemKind.OUT_OF_RANGE),
        ({"start": 18, "end": 21, "text": "nowhere"}, ProblemKind.OUT_OF_RANGE),
        ({"start": 0, "end": 3, "text": "Eve"}, ProblemKind.TEXT_DIFFERS),
    ],
)
def test_what_does_not_fit_is_set_aside(tmp_path, span, kind):
    file = read_lines(tmp_path, {"id": "a", "text": TEXT, "spans": [{**span, "label": "X"}]})
    assert (spans_of(file), kinds(file)) == ([], {kind: 1})
    assert (file.problems[0].start, file.problems[0].end) == (span["start"], span["end"])


@pytest.mark.parametrize("text", [None, TEXT])
@pytest.mark.parametrize(
    "offset", ["true", '"3"', "3.0", "0.5", "null", "[3]", "1e2", "3000000000", "1" * 30, "1" * 5000]
)
def test_offsets_are_whole_numbers(tmp_path, offset, text):
    good = '{"start": 8, "end": 10, "label": "Y"}'
    own = "" if text is None else f'"text": "{text}", '
    line = f'{{"id": "a", {own}"spans": [{{"start": 0, "end": {offset}, "label": "X"}}, {good}]}}'
    file = read_text(tmp_path, line)
    assert (spans_of(file), kinds(file)) == ([(8, 10, "Y")], {ProblemKind.UNREADABLE: 1})


# ── Given texts ─────────────────────────────────────────────────────────────


def test_spans_move_to_a_given_text_that_differs(tmp_path):
    own = TEXT.replace(" ", "\r\n")
    span = {"start": own.index("Paris"), "end": own.index("Paris") + 5, "label": "LOC"}
    file = read_lines(tmp_path, {"id": "a", "text": own, "spans": [span]}, texts={"a": TEXT})
    assert (spans_of(file), file.documents["a"].text) == ([(14, 19, "LOC")], TEXT)
    assert kinds(file) == {ProblemKind.REPAIRED: 1}


def test_quotes_are_checked_against_given_texts(tmp_path):
    spans = [{"start": 1, "end": 4, "label": "X", "text": "Ada"}, {"start": 0, "end": 3, "label": "X", "text": "Eve"}]
    file = read_lines(tmp_path, {"id": "a", "spans": spans}, texts={"a": TEXT})
    assert kinds(file) == {ProblemKind.REPAIRED: 1, ProblemKind.TEXT_DIFFERS: 1}


# ── Spans and each other ────────────────────────────────────────────────────


def test_duplicates_and_overlaps_are_reported_and_stay(tmp_path):
    places = [(0, 3, "X"), (0, 3, "X"), (0, 3, "Y"), (2, 7, "X"), (7, 9, "X")]
    spans = [{"start": start, "end": end, "label": label} for start, end, label in places]
    file = read_lines(tmp_path, {"id": "a", "text": TEXT, "spans": spans})
    assert spans_of(file) == places
    assert kinds(file) == {ProblemKind.DUPLICATE: 1, ProblemKind.OVERLAPPING: 2}


def test_spans_of_two_annotators_do_not_crowd_each_other(tmp_path):
    spans = [{"start": 0, "end": 3, "label": "X", "annotator": name} for name in "xy"]
    assert read_lines(tmp_path, {"id": "a", "text": TEXT, "spans": spans}).problems == ()


@pytest.mark.parametrize("score", ["NaN", "Infinity", '"high"', "true", "[1]"])
def test_a_span_with_a_score_that_is_none_is_kept_without(tmp_path, score):
    file = read_text(tmp_path, f'{{"id": "a", "spans": [{{"start": 0, "end": 3, "label": "X", "score": {score}}}]}}')
    assert file.documents["a"].all_spans == (LabelledSpan(0, 3, "X"),)
    assert kinds(file) == {ProblemKind.SCORE_DROPPED: 1}
