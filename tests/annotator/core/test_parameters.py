"""Numbers and JSON from requests: a value or a refusal, whatever was sent."""

import pytest
from django import forms
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.parameters import MAX_JSON, MAX_NUMBER, InvalidJson, JsonField, read_json, read_number


class Form(forms.Form):
    cards = JsonField(required=False)


@pytest.mark.parametrize("text", ["", "-1", "+1", "1.0", "1e3", " 1", "٣", "²", "9" * 5000, "1\x00", None, ["1"]])
def test_anything_but_digits_is_no_number(text):
    assert read_number(text) is None


def test_a_number_has_a_limit():
    assert read_number(str(MAX_NUMBER)) == MAX_NUMBER
    assert read_number(str(MAX_NUMBER + 1)) is None
    assert read_number("8", at_most=7) is None


@given(st.text())
def test_no_text_breaks_the_reader(text):
    assert read_number(text) is None or str(int(text)) == text.lstrip("0") or not int(text)


HOSTILE = [
    "[" * 50_000 + "]" * 50_000, '{"a":' * 10_000 + "1" + "}" * 10_000, "9" * 5000, '{"a": ' + "9" * 5000 + "}", "NaN",
    "-Infinity", '"\\ud800"', '{"\\udc00": 1}', '"\\u0000"', "{", "", "1 2", '"' + "x" * MAX_JSON + '"', None, ["{}"],
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_json_is_refused_in_one_way(text):
    with pytest.raises(InvalidJson):
        read_json(text)


@pytest.mark.parametrize("text", [text for text in HOSTILE if text], ids=len)
def test_hostile_json_is_an_error_of_the_field(text):
    assert Form({"cards": text}).is_valid() is False


@pytest.mark.parametrize(("text", "value"), [('{"age": 7}', {"age": 7}), ("", None), ('"é\\ud83d\\ude00"', "é😀")])
def test_json_is_read(text, value):
    form = Form({"cards": text})
    assert form.is_valid()
    assert form.cleaned_data["cards"] == value
