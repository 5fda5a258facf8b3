"""The Text Anonymization Benchmark: documents with the entity mentions of one or several annotators."""

from collections.abc import Iterator
from typing import Any

from evaluation.spans.readers.raw import RawDocument, RawSpan, Record, RecordRefused, Side, read_id


def recognises(record: Record) -> bool:
    annotations = record.get("annotations")
    if not isinstance(annotations, dict):
        return False
    return any(isinstance(layer, dict) and "entity_mentions" in layer for layer in annotations.values())


def read(record: Record, _number: int, _side: Side) -> Iterator[RawDocument]:
    annotations = record.get("annotations")
    if not isinstance(annotations, dict):
        raise RecordRefused("“annotations” is not an object with one entry for each annotator.")
    yield read_annotations(read_id(record, "doc_id", "id"), record.get("text"), annotations)


def read_annotations(document: object, text: object, annotations: dict[str, Any]) -> RawDocument:
    mentions = {name: _mentions(layer) for name, layer in annotations.items()}
    return RawDocument(
        document,
        [_span(mention, name) for name, layer in mentions.items() for mention in layer or ()],
        text,
        layers=tuple(name for name, layer in mentions.items() if layer is not None),
        defects=tuple("An annotator has no list “entity_mentions”." for layer in mentions.values() if layer is None),
    )


def _mentions(layer: object) -> list[object] | None:
    mentions = layer.get("entity_mentions") if isinstance(layer, dict) else None
    return mentions if isinstance(mentions, list) else None


def _span(mention: object, annotator: str) -> RawSpan:
    if not isinstance(mention, dict):
        return RawSpan(defect="A mention is not an object.", layer=annotator)
    return RawSpan(
        start=mention.get("start_offset"),
        end=mention.get("end_offset"),
        label=mention.get("entity_type"),
        text=mention.get("span_text"),
        identifier=mention.get("identifier_type"),
        entity=mention.get("entity_id"),
        layer=annotator,
    )
