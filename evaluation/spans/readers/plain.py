"""`{document: [[start, end, label, score], …]}`: JSON, or JSON lines with one or more documents each.

Label and score may be missing (TAB's own system output has neither). Spans may also be objects, as Presidio's results.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from evaluation.spans.readers.json_text import Repeated
from evaluation.spans.readers.raw import RawDocument, RawSpan, Record, Side

NOT_A_LIST = "Its spans are not a list."
KEYS_OF_RECORDS = {"annotations", "data", "doc_id", "entities", "spans", "text"}  # no document is called like that


def recognises(record: Record) -> bool:
    """Half of its values hold spans, or all of them are empty lists: documents without spans."""
    if KEYS_OF_RECORDS & set(record):
        return False
    values = list(islice(record.values(), 100))
    right = [value for value in values if _looks_right(value)]
    return len(right) * 2 >= len(values) and (any(right) or (bool(right) and len(right) == len(values)))


def _looks_right(spans: object) -> bool:
    return isinstance(spans, list) and all(_is_span(item) for item in spans[:20])


def _is_span(item: object) -> bool:
    return {"start", "end"} <= set(item) if isinstance(item, dict) else isinstance(item, list) and 2 <= len(item) <= 4


def read(record: Record, _number: int, _side: Side) -> Iterator[RawDocument]:
    for document, spans in record.items():
        items = spans if isinstance(spans, list) else []
        yield RawDocument(
            document, [item_span(item) for item in items], defects=() if items is spans else (NOT_A_LIST,)
        )
    for document in record.repeated if isinstance(record, Repeated) else ():
        yield RawDocument(document, ())


def item_span(item: Any) -> RawSpan:
    """A span written as a list or an object."""
    if isinstance(item, list) and 2 <= len(item) <= 4:
        start, end, label, score = [*item, None, None][:4]
        return RawSpan(start, end, label, score=score)
    if isinstance(item, dict):
        return object_span(item)
    return RawSpan(defect="A span is neither [start, end, label, score] nor an object.")


def object_span(item: Record) -> RawSpan:
    """A span under the names that our JSONL, Presidio's results and the ECHR study use."""
    return RawSpan(
        start=_first(item, "start", "start_offset"),
        end=_first(item, "end", "end_offset"),
        label=_first(item, "label", "entity_type"),
        text=_first(item, "text", "span_text"),
        score=item.get("score"),
        identifier=_first(item, "identifier", "identifier_type"),
        entity=_first(item, "entity", "entity_id"),
    )


def _first(item: Record, key: str, other: str) -> object:
    value: object = item.get(key)
    return item.get(other) if value is None else value
