"""Write predictions: a line per document, and a manifest beside the file that says how they were made."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from annotator.exchange.export.files import atomic_file, write_lines
from evaluation.spans.records import SpanFile
from evaluation.spans.writers import span_lines

MANIFEST_FORMAT = "telltale.predictions/1"


def write_predictions(path: Path, predictions: SpanFile, documents: SpanFile) -> None:
    """Write the file, then its manifest; each is whole or not there. Raises FileNotWritten."""
    with atomic_file(path) as file:
        write_lines(file, span_lines(predictions.documents.values()))
    with atomic_file(manifest_path(path)) as file:
        text = json.dumps(_manifest(predictions, documents), ensure_ascii=False, indent=1)
        file.write(text.encode() + b"\n")


def manifest_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.manifest.json")


def read_details(path: Path) -> dict[str, str]:
    """What the manifest beside a prediction file says about its maker; empty if there is none."""
    try:
        details: Any = json.loads(manifest_path(path).read_bytes())["details"]
        return {str(key): str(value) for key, value in details.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def count_labels(predictions: SpanFile) -> Counter[str]:
    return Counter(span.label for document in predictions.documents.values() for span in document.all_spans)


def _manifest(predictions: SpanFile, documents: SpanFile) -> dict[str, Any]:
    return {
        "format": MANIFEST_FORMAT,
        "system": predictions.format,
        "details": dict(predictions.details),
        "documents": {"name": documents.name, "sha256": documents.sha256, "count": len(documents.documents)},
        "predictions": {"documents": len(predictions.documents), "spans": dict(count_labels(predictions))},
        "problems": dict(Counter(problem.kind.value for problem in predictions.problems)),
    }
