"""Copy Arrow tables into Postgres, column by column instead of row by row."""

import io
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.csv as pa_csv
from django.db import connection, models

ROWS_AT_ONCE = 1000  # Postgres reads them while the next are encoded
CSV_OPTIONS = pa_csv.WriteOptions(include_header=False, quoting_style="needed")


def copy_table(model: type[models.Model], rows: pa.Table) -> None:
    """The columns of the Arrow table are named like those of the model."""
    copy_into(model._meta.db_table, rows)


def copy_into(table: str, rows: pa.Table) -> None:
    names = ", ".join(connection.ops.quote_name(name) for name in rows.column_names)
    statement = f"COPY {connection.ops.quote_name(table)} ({names}) FROM STDIN (FORMAT csv)"
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copy:
        for batch in rows.to_batches(ROWS_AT_ONCE):
            text = io.BytesIO()
            pa_csv.write_csv(batch, text, CSV_OPTIONS)
            copy.write(text.getbuffer())


def as_bytea(values: Sequence[bytes]) -> pa.Array:
    return pa.array([f"\\x{value.hex()}" for value in values], pa.string())


def reserve_ids(model: type[models.Model], count: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return [row[0] for row in cursor.fetchall()]
