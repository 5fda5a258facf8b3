"""Which unit a document's offsets count: code points, UTF-16 units (JavaScript, Java) or bytes (Rust, Go, C).

A document is converted as a whole, if more of its quoted spans fit that way than as code points, and most do.
Without quoted spans nothing can be told, so offsets count code points.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np

from evaluation.spans.records import LabelledSpan
from evaluation.stats.panel import Ints

WHITESPACE = {ord(character): " " for character in "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u2028\u2029"}


class Unit(StrEnum):
    UTF_16 = "UTF-16 units"
    BYTES = "bytes"


def fits(span: LabelledSpan, text: str) -> bool:
    """Whether the text says there what the span quotes. Line breaks, tabs and spaces are the same."""
    if span.start < 0 or span.end > len(text):  # a slice would stop at the end of the text
        return False
    place = text[span.start : span.end]
    return place == span.text or (
        len(place) == len(span.text) and place.translate(WHITESPACE) == span.text.translate(WHITESPACE)
    )


def convert_offsets(spans: Sequence[LabelledSpan], text: str) -> tuple[Unit | None, Sequence[LabelledSpan]]:
    """The unit that the offsets count if it isn't code points, and the spans in code points."""
    quoted = [span for span in spans if span.text]
    best = sum(fits(span, text) for span in quoted)
    if text.isascii() or best == len(quoted):
        return None, spans
    unit, converted = None, spans
    for candidate in _possible_units(text):
        moved = _in_code_points(spans, text, candidate)
        count = sum(fits(span, text) for span in moved if span.text)
        if count > max(best, len(quoted) / 2):
            unit, converted, best = candidate, moved, count
    return unit, converted


def _possible_units(text: str) -> list[Unit]:
    has_pairs = max(text) > "\uffff"
    return [Unit.UTF_16, Unit.BYTES] if has_pairs else [Unit.BYTES]


def _in_code_points(spans: Sequence[LabelledSpan], text: str, unit: Unit) -> list[LabelledSpan]:
    """Offsets inside a character move outwards; what is beyond the text stays beyond it."""
    places = _boundaries(text, unit)
    starts = np.searchsorted(places, [span.start for span in spans], side="right") - 1
    ends = np.searchsorted(places, [span.end for span in spans])
    return [
        replace(span, start=start, end=end)
        for span, start, end in zip(spans, starts.tolist(), ends.tolist(), strict=True)
    ]


def _boundaries(text: str, unit: Unit) -> Ints:
    """Where each code point begins, and where the last one ends, counted in the unit."""
    points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    widths = 1 + (points > 0xFFFF).astype(np.int64)
    if unit == Unit.BYTES:
        widths += (points > 0x7F).astype(np.int64) + (points > 0x7FF)
    return np.concatenate([[0], np.cumsum(widths)])
