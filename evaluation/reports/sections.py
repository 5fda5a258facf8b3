"""The sections of a span report, in their order on the page. A section whose part the report lacks is left out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from annotator.charts import Lines, Series, heatmap, lines
from annotator.charts.curves import curve
from evaluation.reports.figures import Figure
from evaluation.reports.file_sections import comparison_section, problem_section
from evaluation.reports.study_sections import semeval_section, study_section, tab_section
from evaluation.reports.tables import (
    SCORES,
    Cell,
    Column,
    Row,
    Section,
    Side,
    Table,
    count_cell,
    percent_cell,
    score_cells,
    table,
    whisker_cells,
)

Contents = Mapping[str, Any]

MAIN_DEFINITION = "r1-strict"
MODES = {"strict": "same label", "relaxed": "same group of labels", "any": "any label"}
LEVELS = {"binary": "Personal information or not", "branch": "Branch of the label", "leaf": "Label itself"}
SUSPECT = "suspect"
ERROR_KINDS = {
    "missed": "Missed", "spurious": "False alarms", "wrong_type": "Wrong type", "boundary": "Boundaries",
    SUSPECT: "Suspected gold errors",
}  # fmt: skip


def span_sections(result: Contents, report: Contents) -> list[Section]:
    """Everything below the headline that stands between the warnings and the errors."""
    sections = (build(result) for build in BUILDERS)
    return [section for section in (*sections, comparison_section(report), problem_section(report)) if section]


def _by_type(result: Contents) -> Section | None:
    rows = result.get("by_type") or []
    whiskers = whisker_cells("F1 by type", [(row["type"], row["f1"]) for row in rows])
    body = [
        (row["type"], [count_cell(row["gold"]), *score_cells(row), whisker])
        for row, whisker in zip(rows, whiskers, strict=True)
    ]
    columns = ("Gold", *SCORES, "95 % interval of F1")
    note = "Default definition: one-to-one matching, same label."
    return Section("by-type", "By type", note, (table("Type", columns, body),)) if rows else None


def _definitions(result: Contents) -> Section | None:
    rows = result.get("definitions") or []
    body = tuple(
        Row(row["title"], (*score_cells(row), Cell(row["whose"])), is_main=row["key"] == MAIN_DEFINITION)
        for row in rows
    )
    columns = (Column("Definition", is_number=False), *map(Column, SCORES), Column("Whose", is_number=False))
    return (
        Section("definitions", "The same output by every definition", "", (Table(columns, body),), side=Side.RIGHT)
        if rows
        else None
    )


def _sweep(result: Contents) -> Section | None:
    rows = result.get("sweep") or []
    labels = [f"{row['threshold']:g}" for row in rows]
    series = [Series(f"F1, {name}", [row[mode]["f1"] for row in rows]) for mode, name in MODES.items()]
    note = "How much F1 depends on the overlap that a match needs."
    return Section("sweep", "Threshold sweep", note, lines=_f1_chart(labels, series)) if rows else None


def _f1_chart(labels: Sequence[str], series: Sequence[Series]) -> Lines:
    return lines("F1 by threshold", labels, series, between=(0, 1))


def _curve(result: Contents) -> Section | None:
    contents = result.get("curve")
    if not contents:
        reason = result.get("curve_reason") or ""
        return Section("curve", "Precision and recall by score", remarks=(reason,), side=Side.RIGHT) if reason else None
    points = sorted(
        (point["recall"], point["precision"])
        for point in contents["points"]
        if None not in (point["recall"], point["precision"])
    )
    chart = curve("Precision over recall", points, axes=("Recall", "Precision"), mark=_mark(contents), size=(560, 250))
    return Section(
        "curve", "Precision and recall by score", "The dot marks the actual output.", curve=chart, side=Side.RIGHT
    )


def _mark(contents: Contents) -> tuple[str, float, float] | None:
    point = contents.get("operating_point") or {}
    if point.get("recall") is None or point.get("precision") is None:
        return None
    return "All predictions", point["recall"], point["precision"]


def _tokens(result: Contents) -> Section | None:
    tokens = result.get("tokens") or {}
    names = ("precision", "recall", "f1", "f2")
    scored = [
        row for row in tokens.get("by_type", []) if row.get("gold") or Figure.of(row["precision"]).value is not None
    ]
    rows = [(row["type"], [count_cell(row.get("gold")), *score_cells(row, names)]) for row in scored]
    overall = [("Any label", [count_cell(tokens.get("gold")), *score_cells(tokens, names)])]
    columns = ("Gold", *SCORES, "F2")
    title = f"Tokens ({tokens.get('unit', 'words')})"
    if not tokens:
        return None
    return Section("tokens", title, "", (table("Type", columns, overall + rows, main="Any label"),), side=Side.RIGHT)


def _leakage(result: Contents) -> Section | None:
    leakage = result.get("leakage") or {}
    rows = [
        ("Characters of personal information", [count_cell(leakage.get("characters"))]),
        ("Left readable", [count_cell(leakage.get("uncovered"))]),
        ("Left readable, share", [percent_cell(leakage.get("rate"))]),
        ("Share of the text that is masked", [percent_cell(leakage.get("masked_share"))]),
    ]
    return (
        Section("leakage", "Leakage", "", (table("Characters", ("Value",), rows),), side=Side.RIGHT)
        if leakage
        else None
    )


def _levels(result: Contents) -> Section | None:
    levels = result.get("levels") or {}
    rows = [(name, score_cells(_long_names(levels[key]))) for key, name in LEVELS.items() if levels.get(key)]
    return Section("levels", "Levels of labels", "", (table("Level", SCORES, rows),), side=Side.RIGHT) if rows else None


def _long_names(scores: Contents) -> Contents:
    return {"precision": scores.get("p"), "recall": scores.get("r")} | dict(scores)


def _annotators(result: Contents) -> Section | None:
    annotators = result.get("annotators") or {}
    rows = [(f"Against {row['name'] or 'the only annotator'}", score_cells(row)) for row in annotators.get("each", [])]
    rows += [
        (f"Against their {name}", score_cells(annotators[name]))
        for name in ("union", "majority")
        if annotators.get(name)
    ]
    ceiling = [(f"{row['first']} against {row['second']}", score_cells(row)) for row in annotators.get("ceiling", [])]
    tables = [table("System", SCORES, rows)] if rows else []
    tables += [table("Ceiling", SCORES, ceiling)] if ceiling else []
    note = "The ceiling is one annotator scored against another by the same code." if ceiling else ""
    return Section("annotators", "Annotators", note, tuple(tables), side=Side.RIGHT) if tables else None


def _confusion(result: Contents) -> Section | None:
    confusion = result.get("confusion") or {}
    if not confusion.get("labels"):
        return None
    rows, columns = _confusion_labels(confusion)
    chart = heatmap(
        "Gold labels against predicted labels", rows, columns, confusion["rows"], axes=("gold", "predicted")
    )
    return Section("confusion", "Confusion", heatmap=chart, side=Side.WIDE)


def _confusion_labels(confusion: Contents) -> tuple[Sequence[str], Sequence[str]]:
    """Names of the rows and columns, whose last ones are spurious and missed spans."""
    if "row_labels" in confusion:
        return confusion["row_labels"], confusion["column_labels"]
    labels, values = list(confusion["labels"]), confusion["rows"]
    rows = labels + ["spurious"] * (len(values) - len(labels))
    columns = labels + ["missed"] * (len(values[0]) - len(labels) if values else 0)
    return rows, columns


def _frequent(result: Contents) -> Section | None:
    frequent = (result.get("errors") or {}).get("frequent") or {}
    tables = [
        Table(
            (Column(ERROR_KINDS.get(kind, kind), is_number=False), Column("Label", is_number=False), Column("Times")),
            tuple(Row(item["text"], (Cell(item["label"]), count_cell(item["count"]))) for item in items[:8]),
        )
        for kind, items in frequent.items()
        if items
    ]
    return Section("frequent", "Most frequent errors", "", tuple(tables), side=Side.WIDE) if tables else None


BUILDERS: tuple[Callable[[Contents], Section | None], ...] = (
    _by_type, _definitions, _sweep, _curve, semeval_section, study_section, tab_section, _tokens, _leakage, _levels,
    _annotators, _confusion, _frequent,
)  # fmt: skip
