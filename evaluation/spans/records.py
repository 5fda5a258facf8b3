"""Documents with labelled spans, as the readers return them and every metric takes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from profiles.spans import Span


@dataclass(frozen=True, slots=True)
class LabelledSpan(Span):
    """A gold or predicted span: `[start, end)` in code points. Files without a detail leave it empty."""

    label: str
    score: float | None = None  # the detector's confidence
    text: str = ""  # as its file quotes it
    identifier: str = ""  # TAB's identifier type: DIRECT, QUASI or NO_MASK
    entity: str = ""  # TAB's entity id; mentions of the same entity share it
    position: int = field(default=0, compare=False)  # in the file, where annotators take turns in one list


@dataclass(frozen=True, slots=True)
class Document:
    """A document with one layer of spans for each annotator, in the order of its file.

    Predictions, and gold from files that don't name annotators, have the single layer `ONLY_LAYER`.
    """

    id: str
    layers: Mapping[str, tuple[LabelledSpan, ...]]
    text: str | None = None  # None if the file has no texts

    @property
    def all_spans(self) -> tuple[LabelledSpan, ...]:
        return in_file_order(self.layers)


ONLY_LAYER = ""


def in_file_order(layers: Mapping[str, tuple[LabelledSpan, ...]]) -> tuple[LabelledSpan, ...]:
    """The spans of all annotators in one list, as the ECHR study scores them: its result depends on the order."""
    spans = (span for layer in layers.values() for span in layer)
    return tuple(sorted(spans, key=lambda span: span.position))


class ProblemKind(StrEnum):
    """What can be wrong with a file.

    Everything but REPAIRED, OFFSETS_CONVERTED, SCORE_DROPPED, DUPLICATE and OVERLAPPING is set aside.
    """

    UNREADABLE = "unreadable"  # a line or record that isn't what its format asks for
    OUT_OF_RANGE = "out-of-range"  # ends beyond the text, or begins before it
    EMPTY = "empty"  # zero or negative length
    TEXT_DIFFERS = "text-differs"  # quotes something that isn't anywhere near
    REPAIRED = "repaired"  # moved to the nearest place where its quoted text stands
    OFFSETS_CONVERTED = "offsets-converted"  # the document's offsets counted UTF-16 units or bytes
    SCORE_DROPPED = "score-dropped"  # its score isn't a number, so it is kept without one
    DUPLICATE = "duplicate"
    OVERLAPPING = "overlapping"
    DOCUMENT_REPEATED = "document-repeated"
    ONLY_IN_GOLD = "only-in-gold"
    ONLY_IN_PREDICTIONS = "only-in-predictions"
    UNKNOWN_LABEL = "unknown-label"
    NOT_ANALYSED = "not-analysed"  # the detector has no answer for the document
    DETECTOR = "detector"  # the detector itself: it failed, was stopped, or wrote to standard error


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that was wrong in a file. `detail` is a sentence that never quotes the document's text."""

    kind: ProblemKind
    document: str = ""
    detail: str = ""
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class SpanFile:
    """The contents of a gold or prediction file, by document id, in the order of the file."""

    documents: Mapping[str, Document]
    format: str
    sha256: str
    name: str = ""
    problems: tuple[Problem, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)  # what the file says about its maker, such as a recipe

    @property
    def has_texts(self) -> bool:
        return bool(self.documents) and all(document.text is not None for document in self.documents.values())
