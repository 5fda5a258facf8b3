"""Copy rows into Postgres."""

from collections.abc import Iterable, Sequence

from django.db import connection, models

Rows = Iterable[Sequence[object]]


def copy_table(model: type[models.Model], columns: Sequence[str], rows: Rows) -> None:
    copy_into(model._meta.db_table, columns, rows)


def copy_into(table: str, columns: Sequence[str], rows: Rows) -> None:
    names = ", ".join(connection.ops.quote_name(name) for name in columns)
    statement = f"COPY {connection.ops.quote_name(table)} ({names}) FROM STDIN"
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def reserve_ids(model: type[models.Model], count: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return [row[0] for row in cursor.fetchall()]
