"""JSON and JSON lines. What is broken is left out with its reason, and the rest is read."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from evaluation.spans.readers.contents import ESCAPED

LONGEST_INTEGER = 18  # digits; offsets are never longer, and Python refuses to read more than 4,300
TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},]', re.DOTALL)
SPACE = re.compile(r"[\s\ufeff]*")
DEPTHS = {"[": 1, "{": 1, "]": -1, "}": -1}

WRONG_ENCODING = "It is not UTF-8."
TOO_DEEP = "It is nested too deeply."
CUT_OFF = "It is incomplete: the file ends in the middle of it."
HAS_NUL = "It contains a NUL byte."
NOT_JSON = "It is not valid JSON."


class Repeated(dict[str, Any]):
    """An object in which keys stand twice. Their first values count."""

    repeated: tuple[str, ...] = ()


class HugeInteger:
    """Stands for a number that is too long to be an offset."""


@dataclass(frozen=True, slots=True)
class JsonText:
    """The values of a file in order, each with the number of its line or its place in the list.

    `defects` are numbers and reasons of what could not be read.
    """

    unit: str  # "line" or "record"
    values: list[tuple[int, Any]] = field(default_factory=list)
    defects: list[tuple[int, str]] = field(default_factory=list)


def parse(text: str) -> Any:
    """Parse one value. Raises ValueError or RecursionError."""
    return _DECODER.decode(text)


def parse_json(text: str) -> JsonText | None:
    """Read JSON lines, or a JSON value: a list has one record per item, anything else is one record.

    None if the text doesn't even begin like that.
    """
    text = text[SPACE.match(text).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    if text[:1] not in ("[", "{"):
        return None
    if ESCAPED.search(text) is None and (whole := _parse_whole(text)) is not None:
        return whole
    return _parse_lines(text) if _is_lines(text) else _salvage(text)


def _parse_whole(text: str) -> JsonText | None:
    try:
        value = parse(text)
    except (ValueError, RecursionError):
        return None
    return JsonText("record", list(enumerate(value if isinstance(value, list) else [value], 1)))


def _is_lines(text: str) -> bool:
    """Whether one of the first lines is a whole value; the first line of indented JSON is a lone bracket."""
    lines = list(islice((line.strip() for line in text.split("\n", 5)[:5] if line.strip()), 5))
    return len(lines) > 1 and len(lines[0]) > 1 and any(_is_container(line) for line in lines)


def _is_container(line: str) -> bool:
    try:
        return isinstance(parse(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _parse_lines(text: str) -> JsonText:
    result = JsonText("line")
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip("\ufeff \t\r\x00"):
            _add(result, number, line.strip("\ufeff \t\r"))
    return result


def _add(result: JsonText, number: int, text: str, *, is_whole: bool = True) -> None:
    if not text.isascii() and ESCAPED.search(text):
        result.defects.append((number, WRONG_ENCODING))
        return
    try:
        result.values.append((number, parse(text)))
    except RecursionError:
        result.defects.append((number, TOO_DEEP))
    except ValueError:
        result.defects.append((number, HAS_NUL if "\x00" in text else NOT_JSON if is_whole else CUT_OFF))


# ── Damaged files ───────────────────────────────────────────────────────────


def _salvage(text: str) -> JsonText:
    """Read the items of a damaged list or object, one by one."""
    result = JsonText("record")
    is_list = text[0] == "["
    for number, (item, is_whole) in enumerate(_items(text), 1):
        _add(result, number, item if is_list else f"{{{item}}}", is_whole=is_whole)
    if not is_list:
        pairs = [pair for _, value in result.values for pair in value.items()]
        result.values[:] = [(1, _object(pairs))] if pairs else []
    return result


def _items(text: str) -> Iterator[tuple[str, bool]]:
    """The parts between the commas of the outermost list or object, and whether they are whole."""
    start, depth = 1, 0
    for token in TOKEN.finditer(text, start):
        depth += DEPTHS.get(token[0], 0)
        if depth < 0 or (token[0] == "," and depth == 0):
            if text[start : token.start()].strip():
                yield text[start : token.start()], True
            start = token.end()
        if depth < 0:
            return
    if text[start:].strip("\x00 \t\r\n"):
        yield text[start:], False


# ── Values ──────────────────────────────────────────────────────────────────


def _integer(digits: str) -> int | HugeInteger:
    return int(digits) if len(digits) <= LONGEST_INTEGER else HugeInteger()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    first, repeated = Repeated(), []
    for key, value in pairs:
        if key in first:
            repeated.append(key)
        else:
            first[key] = value
    first.repeated = tuple(repeated)
    return first


_DECODER = json.JSONDecoder(parse_int=_integer, object_pairs_hook=_object)
