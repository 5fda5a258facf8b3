"""Two reports side by side: their numbers, the differences, and whether they may be compared at all."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotator.core.formatting import decimal
from evaluation.reports.figures import NONE, Figure
from evaluation.reports.headlines import headlines_of, read_headlines

SYSTEM_FIELDS = {"pred", "predictions", "system", "model", "baseline", "attack"}  # of a signature: what may differ
QUESTION_FIELDS = {"prompt", "question", "parser"}  # a system that isn't asked has none of them
FIELD_NAMES = {
    "metric": "what was measured", "gold": "gold", "match": "matching", "iou": "overlap threshold",
    "labels": "label scheme", "ignore": "types that are not scored", "missing": "documents without predictions",
    "weights": "weights", "prompt": "prompt", "question": "question", "parser": "how answers are read",
    "hardness": "hardness of the labels", "certainty": "certainty of the labels", "reviewer": "whose labels count",
    "defences": "defences", "population": "population table", "candidates": "candidates for linkage", "texts": "texts",
    "format": "format of the file", "compat": "the original rules",
    "bootstrap": "bootstrap rounds", "seed": "seed", "version": "version of the definitions",
}  # fmt: skip

Contents = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FieldDifference:
    name: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """`change` is the second number minus the first, with its sign."""

    label: str
    first: str
    second: str
    change: str
    first_interval: str = ""
    second_interval: str = ""
    note: str = ""  # about the change


@dataclass(frozen=True, slots=True)
class ComparedTable:
    title: str
    rows: tuple[ComparedRow, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    differences: tuple[FieldDifference, ...]
    tables: tuple[ComparedTable, ...]

    def with_tables(self, tables: Sequence[ComparedTable]) -> "Comparison":
        return replace(self, tables=(*self.tables, *tables))


def compare_reports(first: Contents, second: Contents) -> Comparison:
    differences = tuple(signature_differences(first.get("signature", ""), second.get("signature", "")))
    groups = [
        ("Headline", _headline_figures(first), _headline_figures(second)),
        ("F1 by type", _type_figures(first), _type_figures(second)),
        ("F1 by definition", _definition_figures(first), _definition_figures(second)),
        ("Top-1 by attribute", _attribute_figures(first), _attribute_figures(second)),
        ("Top-1 by scorer", _scorer_figures(first), _scorer_figures(second)),
    ]
    tables = [table_of(*group) for group in groups]
    return Comparison(differences, tuple(table for table in tables if table.rows))


def signature_differences(first: str, second: str) -> Iterator[FieldDifference]:
    """Fields that differ, without those that name the system: a comparison is about these."""
    before, after = _fields(first), _fields(second)
    for name in dict.fromkeys([*before, *after]):
        values = before.get(name, NONE), after.get(name, NONE)
        is_about_system = name in SYSTEM_FIELDS or (name in QUESTION_FIELDS and NONE in values)
        if values[0] != values[1] and not is_about_system:
            yield FieldDifference(FIELD_NAMES.get(name, name), *values)


def _fields(signature: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in signature.split("|") if part)
    return {name: value for name, _, value in pairs}


def _headline_figures(report: Contents) -> dict[str, tuple[Figure, bool]]:
    return {headline.label: (headline.figure, headline.is_share) for headline in read_headlines(headlines_of(report))}


def _type_figures(report: Contents) -> dict[str, tuple[Figure, bool]]:
    return {row["type"]: (Figure.of(row["f1"]), False) for row in _first_result(report).get("by_type") or []}


def _definition_figures(report: Contents) -> dict[str, tuple[Figure, bool]]:
    return {row["title"]: (Figure.of(row["f1"]), False) for row in _first_result(report).get("definitions") or []}


def _attribute_figures(report: Contents) -> dict[str, tuple[Figure, bool]]:
    groups = (report.get("sound") or {}).get("by_attribute") or {}
    return {_title(name): (Figure.of(scores["intervals"]["top1"]), True) for name, scores in groups.items()}


def _scorer_figures(report: Contents) -> dict[str, tuple[Figure, bool]]:
    scorers = {name: report[name] for name in ("published", "compat", "sound") if "intervals" in report.get(name, {})}
    return {_title(name): (Figure.of(scores["intervals"]["top1"]), True) for name, scores in scorers.items()}


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _first_result(report: Contents) -> Contents:
    results: Sequence[Contents] = report.get("results") or [{}]
    return results[0]


def table_of(
    title: str, first: Mapping[str, tuple[Figure, bool]], second: Mapping[str, tuple[Figure, bool]]
) -> ComparedTable:
    labels, nothing = dict.fromkeys([*first, *second]), (Figure(None), False)
    return ComparedTable(
        title, tuple(_row(label, first.get(label, nothing), second.get(label, nothing)) for label in labels)
    )


def _row(label: str, first: tuple[Figure, bool], second: tuple[Figure, bool]) -> ComparedRow:
    (before, is_share), (after, also_share) = first, second
    if is_share or also_share:
        change = _change(before, after, 100, " points")
        return ComparedRow(
            label, before.percent, after.percent, change, before.percent_interval, after.percent_interval
        )
    return ComparedRow(label, before.shown, after.shown, _change(before, after), before.interval, after.interval)


def _change(before: Figure, after: Figure, factor: int = 1, unit: str = "") -> str:
    if before.value is None or after.value is None:
        return NONE
    difference = factor * (after.value - before.value)
    shown = decimal(difference)
    return f"{'+' if difference > 0 and shown != '0.00' else ''}{shown}{unit}"
