"""Read numbers and JSON from requests. Whatever a request contains, the answer is a value or a refusal."""

import json
from typing import Any, NoReturn

from django import forms

MAX_NUMBER = 2**63 - 1  # what a row id can be
MAX_DIGITS = 19
MAX_JSON = 100_000  # characters


class InvalidJson(ValueError):
    """Not JSON, or JSON that we don't accept: too long, too deep, or with text that Postgres can't store."""


def read_number(text: object, *, at_most: int = MAX_NUMBER) -> int | None:
    """The number that ASCII digits stand for, or None for anything else. Never raises."""
    if not isinstance(text, str) or not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
        return None
    number = int(text)
    return number if number <= at_most else None


def read_json(text: object) -> Any:
    """Parse JSON. Raises InvalidJson and nothing else."""
    if not isinstance(text, str) or len(text) > MAX_JSON:
        raise InvalidJson
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(value, ensure_ascii=False).encode()  # fails for lone surrogates
    except (ValueError, RecursionError) as error:
        raise InvalidJson from error
    if "\x00" in text or "\\u0000" in text:
        raise InvalidJson
    return value


class JsonField(forms.CharField):
    """JSON in a form. `empty_value` stands for an empty field."""

    default_error_messages = {"invalid": "This value is not valid."}

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if text in self.empty_values:
            return None
        try:
            return read_json(text)
        except InvalidJson as error:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from error


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidJson(name)  # NaN and Infinity are not JSON
