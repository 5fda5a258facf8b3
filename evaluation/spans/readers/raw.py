"""What the formats hand on: documents and spans as their file has them, not checked yet."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evaluation.spans.records import ONLY_LAYER

Record = dict[str, Any]


class Side(StrEnum):
    """What a file is read for. Some formats hold both."""

    GOLD = "gold"
    PREDICTIONS = "predictions"


class UnreadableSpans(Exception):
    """A file that can't be read at all. Its sentence says what was expected and what to do."""


class RecordRefused(Exception):
    """A record that isn't what its format asks for; the sentence never quotes its text."""


@dataclass(frozen=True, slots=True)
class RawSpan:
    """A span as its file has it. `defect` says why it can't be one."""

    start: object = None
    end: object = None
    label: object = ""
    text: object = ""
    score: object = None
    identifier: object = ""
    entity: object = ""
    layer: str = ONLY_LAYER
    defect: str = ""


@dataclass(frozen=True, slots=True)
class RawDocument:
    """`layers` names annotators, even those who marked nothing; `defects` are parts that could not be read.

    With `is_part`, the same document may come again with the spans of another annotator.
    """

    id: object
    spans: Iterable[RawSpan]
    text: object = None
    layers: tuple[str, ...] = ()
    defects: tuple[str, ...] = ()
    is_part: bool = False


def read_id(record: Record, *keys: str) -> object:
    """The value of the first of these keys that is there. Raises RecordRefused."""
    for key in keys:
        if record.get(key) is not None:
            value: object = record[key]
            return value
    raise RecordRefused(f"It has no document id ({' or '.join(f'“{key}”' for key in keys)}).")


def read_list(record: Record, key: str) -> list[Any]:
    """The list under this key; a missing one is empty. Raises RecordRefused."""
    value = record.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise RecordRefused(f"“{key}” is not a list.")
    return value
