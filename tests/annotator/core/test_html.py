"""Filling HTML with text gives what Django's own function gives."""

from django.utils.html import format_html, format_html_join
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.html import concatenate, fill

parts = st.one_of(st.text(), st.integers(), st.text().map(lambda text: format_html("<b>{}</b>", text)))


@given(parts, parts)
def test_fills_as_django_does(first, second):
    template = '<p title="{}">{}</p>'
    assert fill(template, first, second) == format_html(template, first, second)


@given(st.lists(parts))
def test_concatenates_as_django_does(pieces):
    assert concatenate(pieces) == format_html_join("", "{}", ((piece,) for piece in pieces))


def test_escapes_what_is_not_html():
    assert fill("{}{}", "<script>", fill("<i>{}</i>", "'\"&")) == "&lt;script&gt;<i>&#x27;&quot;&amp;</i>"
