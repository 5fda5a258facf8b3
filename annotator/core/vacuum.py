"""Remove what deleted rows leave behind in Postgres: the rows themselves, and words in the planner's statistics."""

from collections.abc import Iterable

from django.db import connection, models

CAN_CLEAR = "SELECT to_regproc('pg_clear_attribute_stats') IS NOT NULL"  # from Postgres 18 on
CLEAR = """
    SELECT pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
    FROM pg_stats WHERE schemaname = current_schema() AND tablename = %s
"""


def vacuum(tables: Iterable[type[models.Model]]) -> None:
    """Vacuum and analyse the tables, outside a transaction. Rows that an open transaction can still see have to wait.

    ANALYZE replaces the statistics only if a table has rows, so those of empty tables are cleared. It leaves the old
    statistics behind as deleted rows of pg_statistic.
    """
    with connection.cursor() as cursor:
        cursor.execute(CAN_CLEAR)
        (can_clear,) = cursor.fetchone()
        for model in tables:
            table = model._meta.db_table
            cursor.execute(f"VACUUM (ANALYZE) {connection.ops.quote_name(table)}")
            if can_clear and not model._base_manager.exists():
                cursor.execute(CLEAR, [table])
        cursor.execute("VACUUM pg_catalog.pg_statistic")
