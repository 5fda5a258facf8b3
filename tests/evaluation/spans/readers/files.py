"""Files for the tests of the readers."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from evaluation.spans.readers import read_spans
from evaluation.spans.records import LabelledSpan, ProblemKind, SpanFile

TEXT = "Ada met Bo in Paris."


def read_json(folder: Path, value: object, **options: Any) -> SpanFile:
    return read_text(folder, json.dumps(value), **options)


def read_lines(folder: Path, *values: object, **options: Any) -> SpanFile:
    return read_text(folder, "".join(json.dumps(value) + "\n" for value in values), **options)


def read_text(folder: Path, text: str, **options: Any) -> SpanFile:
    return read_bytes(folder, text.encode(), **options)


def read_bytes(folder: Path, data: bytes, **options: Any) -> SpanFile:
    path = folder / "file"
    path.write_bytes(data)
    return read_spans(path, **options)


def spans_of(file: SpanFile, document: str = "a") -> list[tuple[int, int, str]]:
    return [triple(span) for span in file.documents[document].all_spans]


def triple(span: LabelledSpan) -> tuple[int, int, str]:
    return span.start, span.end, span.label


def kinds(file: SpanFile) -> dict[ProblemKind, int]:
    return dict(Counter(problem.kind for problem in file.problems))
