"""Hand-written SQL: load model instances from it, and embed querysets in it.

For the few queries of every save and submit, where Django takes longer to compile a statement than Postgres to answer.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import pghistory
from django.db import connection
from django.db.models import Field, Model, Q, QuerySet
from pghistory import config

from profiles.statements import prepared_cursor

# For statements that change a tracked table: a part of WITH that says who does it, as `pghistory.context` does.
HISTORY = """history AS MATERIALIZED (
        SELECT set_config('pghistory.context_id', %(history_id)s, true),
            set_config('pghistory.context_metadata', %(history_metadata)s, true)
    )"""


def named_sql(queryset: QuerySet[Any], prefix: str = "rule") -> tuple[str, dict[str, Any]]:
    """Compile a queryset to SQL with named parameters, to embed it in a hand-written statement.

    Two querysets in one statement need different prefixes.
    """
    sql, values = queryset.query.sql_with_params()
    names = [f"{prefix}_{number}" for number in range(len(values))]
    return sql.replace("%%", "%%%%") % tuple(f"%({name})s" for name in names), dict(zip(names, values, strict=True))


def history_values() -> dict[str, str]:
    """The values for `HISTORY`."""
    with pghistory.context() as history:
        metadata = json.dumps(history.metadata, cls=config.json_encoder())
        return {"history_id": str(history.id), "history_metadata": metadata}


def related(relation: str, condition: Q) -> Q:
    """Apply a condition to the rows behind a relation."""
    children = [
        related(relation, child) if isinstance(child, Q) else (f"{relation}__{child[0]}", child[1])  # type: ignore[index]
        for child in condition.children
    ]
    return Q(*children, _connector=condition.connector, _negated=condition.negated)


class Rows:
    """A statement that selects whole rows of several tables: `{columns}` stands for their columns."""

    def __init__(self, statement: str, tables: Mapping[str, type[Model]], *, without: Sequence[str] = ()) -> None:
        self.statement, self.tables, self.without = statement, tables, without

    def first(self, values: Mapping[str, Any]) -> list[Any] | None:
        """Load one instance per table, in order and not linked to each other, or None without a row. 1 query."""
        with prepared_cursor() as cursor:
            cursor.execute(self._sql, values)
            row = cursor.fetchone()
        return list(self._instances(row)) if row else None

    def _instances(self, row: Sequence[Any]) -> Iterator[Model]:
        left = iter(row)
        for model, names, converted in self._parts:
            values = list(islice(left, len(names)))
            for at, field in converted:
                values[at] = field.from_db_value(values[at], None, connection)
            yield model.from_db(connection.alias, names, values)

    @cached_property
    def _parts(self) -> list[tuple[type[Model], list[str], list[tuple[int, Any]]]]:
        return [
            (
                model,
                [field.attname for field in self._fields(table)],
                [(at, field) for at, field in enumerate(self._fields(table)) if hasattr(field, "from_db_value")],
            )
            for table, model in self.tables.items()
        ]

    @cached_property
    def _sql(self) -> str:
        columns = [f'{table}."{field.column}"' for table in self.tables for field in self._fields(table)]
        return self.statement.format(columns=", ".join(columns))

    def _fields(self, table: str) -> "list[Field[Any, Any]]":
        fields = self.tables[table]._meta.concrete_fields
        return [field for field in fields if f"{table}.{field.name}" not in self.without]
