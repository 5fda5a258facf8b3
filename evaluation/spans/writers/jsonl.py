"""Our JSON lines: one document a line, with everything that the records hold. Reading them gives the same records."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from evaluation.spans.records import ONLY_LAYER, Document, LabelledSpan

DETAILS = ("score", "text", "identifier", "entity")


def span_lines(documents: Iterable[Document]) -> Iterator[str]:
    for document in documents:
        yield json.dumps(_record(document), ensure_ascii=False) + "\n"


def _record(document: Document) -> dict[str, Any]:
    """Annotators have a list of their own, so that those who marked nothing come back."""
    names = list(document.layers)
    return {
        "id": document.id,
        **({} if document.text is None else {"text": document.text}),
        **({} if names == [ONLY_LAYER] else {"annotators": names}),
        "spans": [_span(span, name) for name, spans in document.layers.items() for span in spans],
    }


def _span(span: LabelledSpan, annotator: str) -> dict[str, Any]:
    details = {name: value for name in DETAILS if (value := getattr(span, name)) not in (None, "")}
    named = {"annotator": annotator} if annotator != ONLY_LAYER else {}
    return {"start": span.start, "end": span.end, "label": span.label, **details, **named}
