"""A foreign key of several columns, which Django does not know."""

from collections.abc import Sequence
from typing import Any

from django.db import models

AT_THE_END = "DEFERRABLE INITIALLY DEFERRED"


class ForeignKeyOfSeveral(models.BaseConstraint):
    """These fields together are those of one row of another model, where they must be unique.

    Fields that are covered by it say `db_constraint=False`: Postgres looks once for a row and not once for each field.
    """

    def __init__(self, *, fields: Sequence[str], to: str, name: str) -> None:
        super().__init__(name=name)
        self.fields = tuple(fields)
        self.to = to

    def constraint_sql(self, model: Any, schema_editor: Any) -> str:
        quote, other = schema_editor.quote_name, model._meta.apps.get_model(self.to)
        here, there = (
            ", ".join(quote(each._meta.get_field(field).column) for field in self.fields) for each in (model, other)
        )
        table = quote(other._meta.db_table)
        return f"CONSTRAINT {quote(self.name)} FOREIGN KEY ({here}) REFERENCES {table} ({there}) {AT_THE_END}"

    def create_sql(self, model: Any, schema_editor: Any) -> str:
        return f"{_alter(model, schema_editor)} ADD {self.constraint_sql(model, schema_editor)}"

    def remove_sql(self, model: Any, schema_editor: Any) -> str:
        return f"{_alter(model, schema_editor)} DROP CONSTRAINT {schema_editor.quote_name(self.name)}"

    def validate(self, *args: Any, **kwargs: Any) -> None:
        """Nothing here: Postgres looks at the end of the transaction, when the other row may be there."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ForeignKeyOfSeveral) and self.deconstruct() == other.deconstruct()

    def __hash__(self) -> int:
        return hash((self.name, self.fields, self.to))

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        return path, args, {**kwargs, "fields": self.fields, "to": self.to}


def _alter(model: Any, schema_editor: Any) -> str:
    return f"ALTER TABLE {schema_editor.quote_name(model._meta.db_table)}"
