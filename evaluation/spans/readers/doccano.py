"""doccano's JSON lines, in all the forms that its versions wrote.

`label` or `labels`: lists `[start, end, label]`; `entities`: objects, from projects with relations; `annotations`:
objects with a user and the number of a label. A document without id goes by the number of its line.
"""

from collections.abc import Iterator
from dataclasses import replace

from evaluation.spans.readers.plain import item_span
from evaluation.spans.readers.raw import RawDocument, RawSpan, Record, RecordRefused, Side, read_list

LISTS = ("label", "labels", "entities", "annotations")


def recognises(record: Record) -> bool:
    key = _list_key(record)
    if key is None or not isinstance(_text(record), str):
        return False
    return all(
        isinstance(item, list) or (isinstance(item, dict) and "start_offset" in item) for item in record[key][:20]
    )


def read(record: Record, number: int, _side: Side) -> Iterator[RawDocument]:
    key = _list_key(record)
    if key is None:
        raise RecordRefused(f"It has none of the lists {', '.join(f'“{name}”' for name in LISTS)}.")
    document = record.get("id", record.get("doc_id"))
    spans = [_span(item) for item in read_list(record, key)]
    yield RawDocument(number if document is None else document, spans, _text(record))


def _list_key(record: Record) -> str | None:
    return next((key for key in LISTS if isinstance(record.get(key), list)), None)


def _text(record: Record) -> object:
    return record.get("text", record.get("data"))


def _span(item: object) -> RawSpan:
    span = item_span(item)
    if isinstance(span.label, int):
        span = replace(span, label=str(span.label))
    user = item.get("user") if isinstance(item, dict) else None
    return span if user is None else replace(span, layer=str(user))
