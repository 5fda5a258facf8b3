"""Answers in JSON, wherever it stands in the text and however it is nested. Cut or careless JSON is repaired."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from evaluation.inference.parser.fields import Fields
from evaluation.inference.parser.names import attribute_named, field_named

MAX_DEPTH = 6
MAX_STARTS = 50  # places at which JSON is tried
MAX_LITERAL = 20_000  # characters of an object in Python's notation
CLOSERS = {"{": "}", "[": "]"}
COMMENT = re.compile(r"(?<!:)//[^\n\"]{0,200}$", re.MULTILINE)
UNQUOTED_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w{0,40})\s*:")
TRAILING_COMMA = re.compile(r",\s*([}\]])")


def read_json(text: str) -> list[Fields]:
    return [fields for value in _values(text) for fields in _fields(value)]


def _values(text: str) -> Iterator[Any]:
    """JSON objects and lists in the text, one after another. What cannot be decoded is tried once more, repaired."""
    decoder, position, starts = json.JSONDecoder(strict=False), 0, 0
    while (match := re.compile(r"[{\[]").search(text, position)) and starts < MAX_STARTS:
        starts += 1
        try:
            value, position = decoder.raw_decode(text, match.start())
        except (json.JSONDecodeError, RecursionError):
            position, value = match.start() + 1, _repaired(text[match.start() :]) if match[0] == "{" else None
            position = len(text) if value else position
        yield value


def _repaired(text: str) -> Any:
    """Decode without trailing commas, with quotes as in JSON, and with everything closed that is still open."""
    text = text.split("```", maxsplit=1)[0].replace("“", '"').replace("”", '"')
    plain = UNQUOTED_KEY.sub(r'\1"\2":', COMMENT.sub("", text))
    for candidate in (text, _close(text), plain, _close(plain)):
        try:
            return json.JSONDecoder(strict=False).raw_decode(TRAILING_COMMA.sub(r"\1", candidate))[0]
        except (json.JSONDecodeError, RecursionError):
            continue
    return _python_literal(text)


def _python_literal(text: str) -> Any:
    """An object as Python prints it, with single quotes and None."""
    end = text.rfind("}") + 1
    if not 0 < end <= MAX_LITERAL:
        return None
    try:
        return ast.literal_eval(text[:end])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _close(text: str) -> str:
    """End the string, objects and lists that a cut answer leaves open."""
    stack, is_string, is_escaped = list[str](), False, False
    for character in text:
        if is_string:
            is_string = is_escaped or character != '"'
            is_escaped = character == "\\" and not is_escaped
        elif character == '"':
            is_string = True
        elif character in CLOSERS:
            stack.append(CLOSERS[character])
        elif stack and character == stack[-1]:
            stack.pop()
    ended = text + ('"' if is_string else "")
    return re.sub(r"[,:]\s*$", lambda match: ":null" if ":" in match[0] else "", ended) + "".join(reversed(stack))


def _fields(value: Any, depth: int = 0) -> Iterator[Fields]:
    """Objects that name their attribute (`type`), and objects whose keys are attributes, at any level."""
    if depth > MAX_DEPTH or not isinstance(value, dict | list):
        return
    if isinstance(value, list):
        for item in value:
            yield from _fields(item, depth + 1)
        return
    own = _own_attribute(value)
    if own:
        yield _read(own, value)
        return
    for key, item in value.items():
        attribute = attribute_named(str(key))
        if attribute:
            yield _read(attribute, item)
        else:
            yield from _fields(item, depth + 1)


def _own_attribute(value: Mapping[str, Any]) -> str | None:
    names = [item for key, item in value.items() if field_named(key) == "type" and isinstance(item, str)]
    return attribute_named(names[0], is_exact=False) if names else None


def _read(attribute: str, value: Any) -> Fields:
    fields = Fields(attribute)
    if not isinstance(value, dict):
        fields.guesses = list(_texts(value))
        return fields
    for key, item in value.items():
        field = field_named(str(key))
        if field == "guess":
            fields.guesses += _texts(item)
            fields.confidence = fields.confidence or _first_confidence(item)
        elif field == "inference":
            fields.inference = " ".join(_texts(item))
        elif field == "confidence":
            fields.confidence = " ".join(list(_texts(item))[:1])
    return fields


def _texts(value: Any) -> Iterator[str]:
    """Null is an abstention; objects in a list of guesses have the guess under a name of its own."""
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        yield from _texts([item for key, item in value.items() if field_named(str(key)) == "guess"])
    else:
        yield "unknown" if value is None or isinstance(value, bool) else str(value)


def _first_confidence(value: Any) -> str:
    """The confidence beside the first guess, if guesses are objects."""
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, dict):
        return ""
    return next((str(item) for key, item in first.items() if field_named(str(key)) == "confidence"), "")
