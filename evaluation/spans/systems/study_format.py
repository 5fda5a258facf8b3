"""The ECHR study's file of documents with detections (`output_presidio_eval.json`). It contains the texts."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annotator.exchange.export.files import atomic_file
from evaluation.spans.records import Document, LabelledSpan, SpanFile


def write_study_format(path: Path, predictions: SpanFile, documents: SpanFile) -> None:
    """Write all documents that have predictions. Raises FileNotWritten."""
    entries = [
        study_document(documents.documents[key], document.all_spans) for key, document in predictions.documents.items()
    ]
    with atomic_file(path) as file:
        file.write(json.dumps(entries, indent=1).encode() + b"\n")


def study_document(document: Document, detected: tuple[LabelledSpan, ...]) -> dict[str, Any]:
    text = document.text or ""
    return {
        "doc_id": document.id,
        "text": text,
        "annotations": [
            _annotation(span, text, annotator) for annotator, spans in document.layers.items() for span in spans
        ],
        "presidio_anonymized_text": mask(text, detected),
        "presidio_detected_pii": [
            {"label": span.label, "text": span.text_of(text), "start": span.start, "end": span.end} for span in detected
        ],
    }


def mask(text: str, spans: Iterable[LabelledSpan]) -> str:
    """Put `<LABEL>` in place of spans. Spans that overlap share a mask, with the label of the longest."""
    pieces, end, longest = list[str](), 0, 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end, span.label)):
        if span.start >= end:
            pieces += [text[end : span.start], f"<{span.label}>"]
            longest = span.length
        elif span.length > longest:
            pieces[-1], longest = f"<{span.label}>", span.length
        end = max(end, span.end)
    return "".join([*pieces, text[end:]])


def _annotation(span: LabelledSpan, text: str, annotator: str) -> dict[str, Any]:
    fields = {
        "start_offset": span.start, "end_offset": span.end, "entity_type": span.label, "span_text": span.text_of(text),
    }  # fmt: skip
    return fields | ({"annotator": annotator} if annotator else {})
