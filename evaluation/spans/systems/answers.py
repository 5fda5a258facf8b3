"""The answers of a detector that runs as a command: one JSON object per line, checked before anything is kept.

Messages name the line, the document or the position, and never quote what the detector wrote: it may contain the text.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.spans.records import LabelledSpan, Problem, ProblemKind

NO_JSON = "Line {line} isn't JSON."
NO_ANSWER = 'Line {line} isn\'t an object with "id" and "spans".'
UNKNOWN_ID = "Line {line} answers for a document that the detector wasn't given."
NO_SPAN = 'Span {number} has no whole numbers "start" and "end".'
NO_LABEL = 'Span {number} has no "label", or one longer than {most} characters.'
NO_SCORE = 'Span {number} has a "score" that isn\'t a finite number.'
EMPTY_SPAN = "Span {number} is empty."
OUTSIDE = "Span {number} doesn't lie in the text, which has {length:,} characters."
MAX_LABEL = 100


class UnusableLine(Exception):
    """A line that answers for no document."""

    def __init__(self, kind: ProblemKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class UnusableSpan(UnusableLine):
    """A span that is set aside. The others of its answer are kept."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The spans of one document in the order of the detector, and what was set aside."""

    document: str
    spans: tuple[LabelledSpan, ...]
    problems: tuple[Problem, ...]


def read_answer(line: bytes, number: int, lengths: Mapping[str, int]) -> Answer:
    """Read a line for one of the documents, whose lengths are given by id. Raises UnusableLine."""
    document, spans = _read_line(line, number, lengths)
    kept: list[LabelledSpan] = []
    problems: list[Problem] = []
    for position, span in enumerate(spans, 1):
        try:
            kept.append(_read_span(span, position, lengths[document]))
        except UnusableSpan as error:
            problems.append(Problem(error.kind, document, str(error)))
    return Answer(document, tuple(kept), tuple(problems))


def _read_line(line: bytes, number: int, lengths: Mapping[str, int]) -> tuple[str, list[Any]]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise UnusableLine(ProblemKind.UNREADABLE, NO_JSON.format(line=number)) from None
    if not (isinstance(answer, dict) and isinstance(answer.get("id"), str) and isinstance(answer.get("spans"), list)):
        raise UnusableLine(ProblemKind.UNREADABLE, NO_ANSWER.format(line=number))
    if answer["id"] not in lengths:
        raise UnusableLine(ProblemKind.ONLY_IN_PREDICTIONS, UNKNOWN_ID.format(line=number))
    return answer["id"], answer["spans"]


def _read_span(span: Any, number: int, length: int) -> LabelledSpan:
    fields = span if isinstance(span, dict) else {}
    start, end = fields.get("start"), fields.get("end")
    if type(start) is not int or type(end) is not int:  # true and false are no positions
        raise UnusableSpan(ProblemKind.UNREADABLE, NO_SPAN.format(number=number))
    if start < 0 or end > length:
        raise UnusableSpan(ProblemKind.OUT_OF_RANGE, OUTSIDE.format(number=number, length=length))
    if start >= end:
        raise UnusableSpan(ProblemKind.EMPTY, EMPTY_SPAN.format(number=number))
    return LabelledSpan(start, end, _read_label(fields, number), _read_score(fields, number))


def _read_label(fields: dict[str, Any], number: int) -> str:
    label = fields.get("label")
    if not isinstance(label, str) or not 0 < len(label) <= MAX_LABEL:
        raise UnusableSpan(ProblemKind.UNREADABLE, NO_LABEL.format(number=number, most=MAX_LABEL))
    return label


def _read_score(fields: dict[str, Any], number: int) -> float | None:
    score = fields.get("score")
    if score is None:
        return None
    if isinstance(score, bool) or not isinstance(score, int | float) or not _is_finite(score):
        raise UnusableSpan(ProblemKind.UNREADABLE, NO_SCORE.format(number=number))
    return float(score)


def _is_finite(score: float) -> bool:
    try:
        return math.isfinite(score)
    except OverflowError:  # an integer beyond all floats
        return False
