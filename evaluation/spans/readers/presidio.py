"""Presidio's results: `{document: [{entity_type, start, end, score}, …]}`, or JSON lines with an id and results.

A line or list item may also be the bare list of a document's results; its number is the document's id then.
"""

from collections.abc import Iterator

from evaluation.spans.readers import plain
from evaluation.spans.readers.raw import RawDocument, Record, Side, read_id, read_list

LISTS = ("results", "analyzer_results", "recognizer_results")


def recognises(record: Record) -> bool:
    return _list_key(record) is not None or any(map(_is_result_list, record.values()))


def read(record: Record, number: int, side: Side) -> Iterator[RawDocument]:
    key = _list_key(record)
    if key is None:
        yield from plain.read(record, number, side)
    else:
        spans = [plain.item_span(item) for item in read_list(record, key)]
        yield RawDocument(read_id(record, "doc_id", "id", "document"), spans, record.get("text"))


def _list_key(record: Record) -> str | None:
    has_id = any(key in record for key in ("doc_id", "id", "document"))
    return next((key for key in LISTS if has_id and isinstance(record.get(key), list)), None)


def _is_result_list(value: object) -> bool:
    items = value[:20] if isinstance(value, list) else []
    return bool(items) and all(
        isinstance(item, dict) and {"entity_type", "start", "end"} <= set(item) for item in items
    )
