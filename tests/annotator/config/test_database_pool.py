"""The pool of database connections."""

import pytest
from django.db import connection
from psycopg_pool import ConnectionPool

from annotator.core.postgres.base import DatabaseWrapper

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pooled():
    """A connection from a pool of one, with our settings."""
    settings = connection.settings_dict | {"OPTIONS": {"pool": {"min_size": 1, "max_size": 1, "timeout": 10}}}
    wrapper = DatabaseWrapper(settings, connection.alias)
    yield wrapper
    wrapper.close()
    wrapper.close_pool()


def ask(wrapper, statement: str):
    with wrapper.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def test_a_connection_that_died_in_the_pool_is_replaced(pooled):
    """As after a restart of Postgres: the next request must not get it."""
    pid = ask(pooled, "SELECT pg_backend_pid()")
    pooled.close()  # goes back into the pool
    assert ask(connection, f"SELECT pg_terminate_backend({pid}, 10000)")
    assert ask(pooled, "SELECT pg_backend_pid()") != pid


def test_a_healthy_connection_is_not_asked(pooled, monkeypatch):
    pid = ask(pooled, "SELECT pg_backend_pid()")
    pooled.close()
    monkeypatch.setattr(ConnectionPool, "check_connection", lambda _: pytest.fail("a query for each request"))
    assert ask(pooled, "SELECT pg_backend_pid()") == pid


def test_a_connection_that_was_told_something_else_is_kept(pooled):
    pid = ask(pooled, "SELECT pg_backend_pid()")
    with pooled.cursor() as cursor:
        cursor.execute("LISTEN news")
    pooled.close()
    with connection.cursor() as cursor:
        cursor.execute("NOTIFY news")
    assert ask(pooled, "SELECT pg_backend_pid()") == pid
