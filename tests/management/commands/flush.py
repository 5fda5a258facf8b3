"""`flush` for tests: empty only the tables that have rows.

Django's own truncates every table and recreates all content types and permissions, which takes most of a second after
each test that commits.
"""

from django.core.management.base import BaseCommand
from django.db import connection, transaction
from psycopg import sql

KEPT = {"django_migrations", "django_content_type", "auth_permission"}  # as the migrations left them


class Command(BaseCommand):
    stealth_options = ("interactive", "database", "reset_sequences", "allow_cascade", "inhibit_post_migrate")

    def handle(self, **_: object) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            names = connection.introspection.django_table_names(only_existing=True, include_views=False)
            tables = [sql.Identifier(name) for name in names if name not in KEPT]
            # Wait for requests that are still writing, as TRUNCATE does.
            cursor.execute(sql.SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(sql.SQL(", ").join(tables)))
            cursor.execute("SET LOCAL session_replication_role = replica")  # no triggers, and tables in any order
            for table in _filled(cursor, tables):
                cursor.execute(sql.SQL("DELETE FROM {}").format(table))


def _filled(cursor, tables: list[sql.Identifier]) -> list[sql.Identifier]:
    filled = sql.SQL(", ").join(sql.SQL("EXISTS (SELECT FROM {})").format(table) for table in tables)
    cursor.execute(sql.SQL("SELECT {}").format(filled))
    return [table for table, has_rows in zip(tables, cursor.fetchone(), strict=True) if has_rows]
