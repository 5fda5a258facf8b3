"""Sorting of lists: by columns that a person chooses in the head of a table. The choice stands in the query string."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Self, TypeVar

from django.db.models import F
from django.db.models.expressions import OrderBy
from django.http import QueryDict

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Sorting:
    """The chosen column and direction.

    `columns` maps a column's name in the address to its field. A field with a minus, such as `-comment_count`, starts
    with the largest; the others start with the smallest. Further fields after a space break ties, in one direction.
    """

    columns: Mapping[str, str]
    column: str
    is_descending: bool
    parameters: QueryDict

    @classmethod
    def read(cls, parameters: QueryDict, columns: Mapping[str, str], *, default: str) -> Self:
        """Read `sort=name` or `sort=-name`. Anything unknown means the default, in its own direction."""
        chosen = parameters.get("sort", "")
        column = chosen.removeprefix("-")
        if column not in columns:
            return cls(columns, default, columns[default].startswith("-"), parameters)
        return cls(columns, column, chosen.startswith("-"), parameters)

    @property
    def order(self) -> list[OrderBy | str]:
        """For `order_by`: missing values last, and the primary key as the tie-break."""
        field, *others = self.columns[self.column].split()
        return [OrderBy(F(field.removeprefix("-")), descending=self.is_descending, nulls_last=True), *others, "pk"]

    def sort(self, rows: Sequence[Row]) -> list[Row]:
        """Sort computed rows by their attribute. Missing values come last; ties stay as they are."""
        field = attrgetter(self.columns[self.column].split()[0].removeprefix("-"))
        known = [row for row in rows if field(row) is not None]
        missing = [row for row in rows if field(row) is None]
        return sorted(known, key=field, reverse=self.is_descending) + missing

    def direction_of(self, column: str) -> str:
        """The value of `aria-sort`, or nothing for the other columns."""
        if column != self.column:
            return ""
        return "descending" if self.is_descending else "ascending"

    def query_for(self, column: str) -> str:
        """The query string of the link in a column's head: turn the current one around, keep filters, drop the page."""
        starts_descending = self.columns[column].startswith("-")
        is_descending = not self.is_descending if column == self.column else starts_descending
        parameters = self.parameters.copy()
        parameters.pop("page", None)
        parameters["sort"] = f"-{column}" if is_descending else column
        return f"?{parameters.urlencode()}"
