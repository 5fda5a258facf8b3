"""Sections about the files of a report: how systems compare, and what was wrong with the files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotator.core.formatting import decimal, number
from evaluation.reports.figures import Figure
from evaluation.reports.tables import Cell, Column, Row, Section, Side, Table, count_cell, table

Contents = Mapping[str, Any]


def comparison_section(report: Contents) -> Section | None:
    rows = [
        (
            f"{row['first']} − {row['second']}",
            [
                Cell(row["metric"]),
                difference_cell(row["difference"]),
                p_cell(row["p_bootstrap"]),
                p_cell(row["p_randomisation"]),
            ],
        )
        for row in report.get("comparisons") or []
    ]
    columns = ("Metric", "Difference", "p, bootstrap", "p, randomisation")
    note = "On the same documents and the same resamples."
    return (
        Section("comparisons", "Systems compared", note, (table("Systems", columns, rows),), side=Side.WIDE)
        if rows
        else None
    )


def problem_section(report: Contents) -> Section | None:
    columns = (
        Column("Side", is_number=False),
        Column("Problem", is_number=False),
        Column("Times"),
        Column("For example", is_number=False),
    )
    rows = tuple(
        Row(row["side"], (Cell(row["message"]), count_cell(row["count"]), Cell(", ".join(_places(row["examples"])))))
        for row in report.get("problems") or []
    )
    return Section("problems", "Problems in the files", "", (Table(columns, rows),), side=Side.WIDE) if rows else None


def _places(examples: Sequence[Contents]) -> Iterator[str]:
    for example in examples[:3]:
        where = "" if example.get("start") is None else f" {example['start']}–{example['end']}"
        yield f"{example['document']}{where}".strip() or str(example.get("detail", ""))


def difference_cell(value: Any) -> Cell:
    """A difference with its sign and interval."""
    figure = Figure.of(value)
    if figure.value is None:
        return Cell("–", title=figure.reason)
    sign = "+" if figure.value > 0 else ""
    return Cell(f"{sign}{decimal(figure.value)}", figure.interval, figure.reason)


def p_cell(value: float | None) -> Cell:
    return Cell("–" if value is None else ("<0.001" if value < 0.001 else number(value)))
