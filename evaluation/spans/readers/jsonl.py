"""Our own JSON lines, as `detect_spans` writes them: `{"id": …, "text": …, "spans": [{"start", "end", "label"}]}`.

One document a line; a JSON list of such objects works, too. With an annotator's name in each span it is gold of
several annotators.
"""

from collections.abc import Iterator
from dataclasses import replace

from evaluation.spans.readers.plain import item_span
from evaluation.spans.readers.raw import RawDocument, RawSpan, Record, RecordRefused, Side, read_id, read_list


def recognises(record: Record) -> bool:
    return isinstance(record.get("spans"), list) and ("id" in record or "doc_id" in record)


def read(record: Record, _number: int, _side: Side) -> Iterator[RawDocument]:
    if "spans" not in record:
        raise RecordRefused("It has no list “spans”.")
    spans = [annotated_span(item) for item in read_list(record, "spans")]
    names = tuple(str(name) for name in read_list(record, "annotators"))
    yield RawDocument(read_id(record, "id", "doc_id"), spans, record.get("text"), layers=names)


def annotated_span(item: object) -> RawSpan:
    """A span in the layer of the annotator that it names, if any."""
    span = item_span(item)
    name = item.get("annotator") if isinstance(item, dict) else None
    return span if name is None else replace(span, layer=str(name))
