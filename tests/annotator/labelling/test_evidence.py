"""Locate evidence in a comment: code points, and line breaks as a page shows them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.labelling.services import locate
from profiles.spans import Span


@given(st.text(alphabet="a😀é\r\n ", max_size=40), st.data())
def test_what_a_page_shows_is_found_in_what_was_written(body, data):
    """Whatever is selected in the text as shown is found, and shows the same again."""
    shown = re.sub("\r\n?", "\n", body)
    start = data.draw(st.integers(0, len(shown)))
    end = data.draw(st.integers(start, len(shown)))
    span = locate(body, Span(start, end), shown[start:end])
    if start == end:
        assert span is None
    else:
        assert span is not None
        assert re.sub("\r\n?", "\n", span.text_of(body)) == shown[start:end]


@pytest.mark.parametrize(
    ("start", "end", "text"), [(0, 1, "b"), (-3, 1, "a"), (0, 9, "abc"), (2, 1, "c"), (1, 1, ""), (0, 2, "a")]
)
def test_what_does_not_stand_there_is_not_found(start, end, text):
    assert locate("abc", Span(start, end), text) is None
