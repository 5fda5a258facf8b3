"""Files of the study that scored Presidio on ECHR cases: `annotations.json` and `output_presidio_eval.json`.

Both are lists of `{doc_id, text, annotations: [{start_offset, end_offset, entity_type}]}`; the second has Presidio's
results besides, as `presidio_detected_pii`. The annotations of all annotators stand in one list. Where they name their
annotator, each annotator is a layer, and `Document.all_spans` keeps the order of the list.
"""

from collections.abc import Iterator

from evaluation.spans.readers.jsonl import annotated_span
from evaluation.spans.readers.raw import RawDocument, Record, RecordRefused, Side, read_id, read_list

DETECTIONS = "presidio_detected_pii"


def recognises_annotations(record: Record) -> bool:
    annotations = record.get("annotations")
    if not isinstance(annotations, list) or "doc_id" not in record:
        return False
    return all(isinstance(item, dict) and {"start_offset", "start"} & set(item) for item in annotations[:20])


def read_annotations(record: Record, _number: int, _side: Side) -> Iterator[RawDocument]:
    yield _document(record, "annotations")


def holds_detections(record: Record) -> bool:
    return DETECTIONS in record


def read_output(record: Record, _number: int, side: Side) -> Iterator[RawDocument]:
    yield _document(record, "annotations" if side == Side.GOLD else DETECTIONS)


def _document(record: Record, key: str) -> RawDocument:
    if key not in record:
        raise RecordRefused(f"It has no list “{key}”.")
    spans = [annotated_span(item) for item in read_list(record, key)]
    return RawDocument(read_id(record, "doc_id", "id"), spans, record.get("text"))
