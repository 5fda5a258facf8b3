"""What a database consists of, as lists that can be compared."""

import json

from django.db import connection

# Where nobody chose a constraint's name, Postgres did, and keeps it when a column or table is renamed.
QUERIES = {
    "columns": (
        "SELECT table_name, column_name, data_type, is_nullable, column_default, is_identity, "
        "character_maximum_length, collation_name, generation_expression FROM information_schema.columns "
        "WHERE table_schema = 'public'"
    ),
    "constraints": (
        "SELECT conrelid::regclass, pg_get_constraintdef(oid), CASE WHEN contype IN ('p', 'u', 'x', 'f') "
        "OR contype = 'c' AND conname NOT LIKE '%_check' THEN conname END "
        "FROM pg_constraint WHERE connamespace = 'public'::regnamespace"
    ),
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "triggers": (
        "SELECT tgrelid::regclass, tgname, tgenabled, pg_get_triggerdef(oid), obj_description(oid) FROM pg_trigger "
        "WHERE NOT tgisinternal"
    ),
    "functions": "SELECT proname, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    "extensions": "SELECT extname FROM pg_extension",
    "migrations": "SELECT app, name FROM django_migrations",
    "content types": "SELECT app_label, model FROM django_content_type",
    "permissions": "SELECT codename, name FROM auth_permission",
}


def describe_schema() -> dict[str, list[list[str]]]:
    with connection.cursor() as cursor:
        return {name: sorted([list(map(str, row)) for row in cursor.execute(sql)]) for name, sql in QUERIES.items()}


def filled_tables() -> set[str]:
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        return {name for name in tables if cursor.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone()}  # noqa: S608


def print_schema() -> None:
    print(json.dumps({"schema": describe_schema(), "filled": sorted(filled_tables())}))  # noqa: T201 for another process
