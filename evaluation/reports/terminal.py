"""Tables as text, for the terminal."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text


def text_table(columns: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column)
    return table


def add_row(table: Table, cells: Sequence[str], left: Sequence[int] = (0,)) -> None:
    """Add a row as it is: names from files are not markup. Numbers are on the right."""
    for at, column in enumerate(table.columns):
        column.justify = "left" if at in left else "right"
    table.add_row(*map(Text, cells))
