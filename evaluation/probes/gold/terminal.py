"""The gold probe's summary as text, for the terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from annotator.core.formatting import number, plural
from evaluation.probes.gold.measurement import METRIC

NONE = "–"
NOTE = "p: how likely so large a gap is if the stated gender changes nothing, corrected for the number of attributes."
COLUMNS = (
    "gap",
    "by chance",
    "chance, 95th percentile",
    "p (Holm)",
    "different guess, other gender",
    "different guess, same gender",
)


def print_gold(report: Mapping[str, Any], console: Console) -> None:
    inputs = report["inputs"]
    console.print(Text(f"{report['name']}: {plural(inputs['profiles'], 'profile')} of {inputs['corpus']}"))
    console.print(Text(f"signature {report['signature']}"), soft_wrap=True)
    console.print()
    console.print(_table(report))
    console.print()
    console.print(Text(NOTE), soft_wrap=True)
    for row in (row for row in report["summary"] if not row["does_task"]):
        verdict = report["attributes"][row["attribute"]]["verdict"]
        console.print(Text(f"{row['attribute']}: {verdict['sentence']} {' '.join(verdict['reasons'])}"), soft_wrap=True)


def _table(report: Mapping[str, Any]) -> Table:
    genders = list(report["summary"][0]["rates"])
    table = Table(box=None, pad_edge=False)
    table.add_column("attribute")
    for column in ("profiles", *(f"right, {gender}" for gender in genders), *COLUMNS):
        table.add_column(column, justify="right")
    for row in report["summary"]:
        floor, guesses = row["noise_floor"], row["guesses"]
        values = [row[METRIC], floor["mean"], floor["p95"], row["p_holm"], guesses["between"], guesses["within"]]
        cells = [_three(value) for value in (*row["rates"].values(), *values)]
        table.add_row(*map(Text, (row["attribute"].replace("_", " "), number(row["profiles"]), *cells)))
    return table


def _three(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"
