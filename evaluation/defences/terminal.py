"""A report on defences as text, for the terminal: the tables of its page, without the picture."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from evaluation.defences.sections import defence_sections, facts_of
from evaluation.reports.tables import Cell, Section
from evaluation.reports.terminal import add_row, text_table


def print_report(report: Mapping[str, Any], console: Console) -> None:
    console.print(Text(" · ".join(facts_of(report))), soft_wrap=True)
    console.print(Text(f"signature {report['signature']}"), soft_wrap=True)
    console.print()
    for sentence in report["missing"]:
        console.print(Text(sentence, style="bold"), soft_wrap=True)
    for section in defence_sections(report):
        _print_section(section, console)
    console.print(Text("Read with care", style="bold"))
    for warning in report["warnings"]:
        console.print(Text(f"{warning['message']} {warning['why']}".strip()), soft_wrap=True)


def _print_section(section: Section, console: Console) -> None:
    for table in section.tables:
        printed = text_table([column.name for column in table.columns])
        left = [at for at, column in enumerate(table.columns) if not column.is_number]
        for row in table.rows:
            add_row(printed, [row.head, *map(_words, row.cells)], left)
        console.print(Text(section.title, style="bold"))
        console.print(printed)
        console.print()


def _words(cell: Cell) -> str:
    return f"{cell.text} [{cell.detail}]" if cell.detail else cell.text
