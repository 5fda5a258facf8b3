"""Long documents are cut where it hurts least, and nothing gets lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.systems.parts import MAX_PART, split_document


def parts(text: str, most: int) -> list[str]:
    return [part.text for part in split_document(text, most)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0123456789", ["0123456789"]),
        ("", [""]),
        ("a\n\nb\n\nc d e\nf", ["a\n\nb\n\n", "c d e\nf"]),  # the last blank line
        ("ab\n\ncd\nef ghij", ["ab\n\n", "cd\nef ghij"]),  # even if a line break comes later
        ("a b\nc d e f g", ["a b\n", "c d e f g"]),  # else the last line break
        ("ab cd ef gh ij", ["ab cd ef ", "gh ij"]),  # else the last space
        ("0123456789abc", ["0123456789", "abc"]),
    ],
)
def test_cuts_at_the_best_place(text, expected):
    assert parts(text, 10) == expected


@given(st.text(alphabet="ab \n", max_size=80), st.integers(1, 20))
def test_no_character_is_lost_or_moved(text, most):
    pieces = list(split_document(text, most))
    assert "".join(part.text for part in pieces) == text
    assert all(text[part.offset :].startswith(part.text) for part in pieces)
    assert all(len(part.text) <= max(most, 1) for part in pieces)
    assert all(part.text for part in pieces) or text == ""


def test_reads_a_document_whole_if_it_can():
    assert len(list(split_document("a\n\n" * (MAX_PART // 3)))) == 1
