"""Composite foreign keys, which Django lacks."""

from collections.abc import Sequence
from typing import Any

from django.db import models

DEFERRED = "DEFERRABLE INITIALLY DEFERRED"


class ForeignKeyOfSeveral(models.BaseConstraint):
    """The fields together reference a row of another model, which must be unique in them.

    Set `db_constraint=False` on these fields, so that Postgres looks up one row instead of one per field.
    """

    def __init__(self, *, fields: Sequence[str], to: str, name: str) -> None:
        super().__init__(name=name)
        self.fields = tuple(fields)
        self.to = to

    def constraint_sql(self, model: Any, schema_editor: Any) -> str:
        quote, other = schema_editor.quote_name, model._meta.apps.get_model(self.to)
        here, there = (
            ", ".join(quote(side._meta.get_field(field).column) for field in self.fields) for side in (model, other)
        )
        table = quote(other._meta.db_table)
        return f"CONSTRAINT {quote(self.name)} FOREIGN KEY ({here}) REFERENCES {table} ({there}) {DEFERRED}"

    def create_sql(self, model: Any, schema_editor: Any) -> str:
        return f"{_alter(model, schema_editor)} ADD {self.constraint_sql(model, schema_editor)}"

    def remove_sql(self, model: Any, schema_editor: Any) -> str:
        return f"{_alter(model, schema_editor)} DROP CONSTRAINT {schema_editor.quote_name(self.name)}"

    def validate(self, *args: Any, **kwargs: Any) -> None:
        """Leave it to Postgres, which checks at the end of the transaction, when the other row may exist."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ForeignKeyOfSeveral) and self.deconstruct() == other.deconstruct()

    def __hash__(self) -> int:
        return hash((self.name, self.fields, self.to))

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        return path, args, {**kwargs, "fields": self.fields, "to": self.to}


def _alter(model: Any, schema_editor: Any) -> str:
    return f"ALTER TABLE {schema_editor.quote_name(model._meta.db_table)}"
