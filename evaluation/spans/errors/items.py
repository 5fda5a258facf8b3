"""Errors as a person reads them: each with its text and context, and the strings that go wrong most often."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evaluation.spans.errors.excerpts import excerpt
from evaluation.spans.errors.kinds import NOTHING, ErrorKind, ErrorRows, sort_errors
from evaluation.spans.matching import GoldState, Matching
from evaluation.spans.tables import Overlaps, SpanTable

ITEM_LIMIT = 200  # of each kind
FREQUENT_LIMIT = 20


@dataclass(frozen=True, slots=True)
class ErrorItem:
    """`start`, `end` and `label` are those of the gold span, or of the prediction if it is spurious.

    `other_…` are those of the prediction that came close.
    """

    kind: ErrorKind
    document: str
    start: int
    end: int
    label: str
    other_start: int | None
    other_end: int | None
    other_label: str
    before: str
    text: str
    after: str
    note: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class FrequentString:
    text: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class ErrorAnalysis:
    """`counts` are complete; `items` are limited for each kind, and `frequent` is empty without texts."""

    counts: Mapping[ErrorKind, int]
    frequent: Mapping[ErrorKind, tuple[FrequentString, ...]]
    items: tuple[ErrorItem, ...]

    def as_json(self) -> dict[str, Any]:
        """What goes into the report. The items don't: they quote texts at length."""
        frequent = {kind.value: [asdict(string) for string in strings] for kind, strings in self.frequent.items()}
        return {"counts": {kind.value: count for kind, count in self.counts.items()}, "frequent": frequent}


def analyse_errors(
    gold: SpanTable,
    predicted: SpanTable,
    overlaps: Overlaps,
    matching: Matching,
    *,
    names: Sequence[str],
    texts: Sequence[str | None],
    threshold: float,
    limit: int = ITEM_LIMIT,
) -> ErrorAnalysis:
    """`matching` has strict labels. `names` and `texts` are those of the tables' documents."""
    kinds = sort_errors(gold, predicted, overlaps, matching, threshold)
    reader = _Reader(gold, predicted, matching, names, texts)
    items = [reader.item(kind, rows, index) for kind, rows in kinds.items() for index in range(min(len(rows), limit))]
    frequent = {kind: reader.frequent(kind, rows) for kind, rows in kinds.items()}
    return ErrorAnalysis({kind: len(rows) for kind, rows in kinds.items()}, frequent, tuple(items))


@dataclass(frozen=True, slots=True, eq=False)
class _Reader:
    gold: SpanTable
    predicted: SpanTable
    matching: Matching
    names: Sequence[str]
    texts: Sequence[str | None]

    def item(self, kind: ErrorKind, rows: ErrorRows, index: int) -> ErrorItem:
        table, row = self._subject(rows, index)
        other = int(rows.predicted[index]) if table is self.gold else NOTHING
        document, start, end = int(table.documents[row]), int(table.starts[row]), int(table.ends[row])
        quote = excerpt(self.texts[document], start, end)
        return ErrorItem(
            kind,
            self.names[document],
            start,
            end,
            self._label(table, row),
            None if other == NOTHING else int(self.predicted.starts[other]),
            None if other == NOTHING else int(self.predicted.ends[other]),
            "" if other == NOTHING else self._label(self.predicted, other),
            quote.before,
            quote.text,
            quote.after,
            self._note(kind, rows, index),
        )

    def frequent(self, kind: ErrorKind, rows: ErrorRows) -> tuple[FrequentString, ...]:
        """The strings with the most errors of this kind, whatever their spacing."""
        table = self.predicted if kind == ErrorKind.SPURIOUS else self.gold
        chosen = rows.predicted if kind == ErrorKind.SPURIOUS else rows.gold
        columns = (column[chosen].tolist() for column in (table.documents, table.starts, table.ends, table.labels))
        strings = Counter(
            (" ".join(text[start:end].split()), table.label_names[label])
            for document, start, end, label in zip(*columns, strict=True)
            if (text := self.texts[document]) is not None
        )
        ranked = sorted(strings.items(), key=lambda entry: (-entry[1], entry[0]))
        return tuple(FrequentString(text, label, count) for (text, label), count in ranked[:FREQUENT_LIMIT])

    def _subject(self, rows: ErrorRows, index: int) -> tuple[SpanTable, int]:
        row = int(rows.gold[index])
        return (self.predicted, int(rows.predicted[index])) if row == NOTHING else (self.gold, row)

    def _label(self, table: SpanTable, row: int) -> str:
        return table.label_names[int(table.labels[row])]

    def _note(self, kind: ErrorKind, rows: ErrorRows, index: int) -> str:
        if kind == ErrorKind.WRONG_TYPE:
            return f"Predicted as {self._label(self.predicted, int(rows.predicted[index]))}."
        if kind != ErrorKind.BOUNDARY:
            return ""
        state, iou = self.matching.gold[rows.gold[index]], f"{rows.iou[index]:.2f}"
        if state == GoldState.COMPOUND:
            return f"Matched as a compound; the IoU with the first prediction is {iou}."
        if state == GoldState.MATCHED:
            return f"Matched with an IoU of {iou}."
        return f"Not matched: the IoU is {iou}."
