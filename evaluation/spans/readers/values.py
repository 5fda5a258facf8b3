"""Typed values from what a file holds: ids, texts, offsets, labels and scores."""

import math
import re

from evaluation.spans.readers.raw import RawSpan, RecordRefused
from evaluation.spans.records import LabelledSpan

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # NUL, and halves of characters
LARGEST_OFFSET = 2**31  # longer than any text; sums over thousands of documents still fit 64 bits


class SpanRefused(Exception):
    """A span whose values are of the wrong kind."""


def clean(text: str) -> str:
    """Replace what neither UTF-8 nor a database can hold, one code point by one, so that offsets stay."""
    return text if text.isascii() and "\x00" not in text else UNSTORABLE.sub("\ufffd", text)


def to_id(value: object) -> str:
    """Raises RecordRefused."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value.strip():
        return clean(value)
    raise RecordRefused("Its document id is neither text nor a whole number.")


def to_text(value: object) -> str | None:
    """Raises RecordRefused."""
    if value is None or isinstance(value, str):
        return value if value is None else clean(value)
    raise RecordRefused("Its text is not a string.")


def to_span(raw: RawSpan) -> LabelledSpan:
    """Raises SpanRefused."""
    if raw.defect:
        raise SpanRefused(raw.defect)
    return LabelledSpan(
        start=_offset(raw.start, "start"),
        end=_offset(raw.end, "end"),
        label=_label(raw.label),
        score=_score(raw.score),
        text=_detail(raw.text),
        identifier=_detail(raw.identifier),
        entity=_detail(raw.entity),
    )


def has_bad_score(raw: RawSpan) -> bool:
    return raw.score is not None and _score(raw.score) is None


def _offset(value: object, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise SpanRefused(f"Its {name} is not a whole number.")
    if abs(value) > LARGEST_OFFSET:
        raise SpanRefused(f"Its {name} is too large a number.")
    return value


def _label(value: object) -> str:
    """Empty if the file has no labels."""
    if value is None or isinstance(value, str):
        return clean(value or "")
    raise SpanRefused("Its label is not a string.")


def _score(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None  # type: ignore[arg-type]  # mypy can't follow


def _detail(value: object) -> str:
    return clean(value) if isinstance(value, str) else ""
