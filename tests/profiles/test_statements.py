"""Prepared statements: planned once per connection, and counted like all others."""

import pytest
from django.db import connection

from profiles.statements import prepared_cursor

pytestmark = pytest.mark.django_db


def prepared_statements():
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [statement for (statement,) in cursor.fetchall()]


def fetch_double(number):
    with prepared_cursor() as cursor:
        cursor.execute("SELECT 2 * %(number)s::int AS twice", {"number": number})
        return cursor.fetchone()[0]


def test_postgres_keeps_the_plan(django_assert_num_queries):
    with django_assert_num_queries(2):
        assert [fetch_double(21), fetch_double(4)] == [42, 8]
    assert prepared_statements().count("SELECT 2 * $1::int AS twice") == 1


def test_values_get_no_plan_of_their_own():
    """Postgres would plan for the first five values, and for all if it expects more of that."""
    for number in range(8):
        fetch_double(number)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE '%%AS twice'"
        )
        assert cursor.fetchall() == [(8, 0)]
