"""Prepared statements: Postgres plans them once per connection, not each time.

For the few statements that every save and submit needs. Django's own cursors write values into the statement, so
Postgres plans each anew, which takes longer than running it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg import Cursor


class PreparedCursor(Cursor[Any]):
    """Values travel beside the statement, so they may need casts.

    pghistory puts a statement of its own before each write, which cannot be prepared. It leaves cursors with a name
    alone, so writes of tracked tables record their history context themselves: `annotator.core.sql.HISTORY`.
    """

    name = "prepared"

    def execute(self, query: Any, params: Any = None, **options: Any) -> "PreparedCursor":
        return super().execute(query, params, **options | {"prepare": True})


@contextmanager
def prepared_cursor() -> Iterator[CursorWrapper]:
    """Like `connection.cursor()`. Its statements are logged and counted like all others."""
    connection.ensure_connection()
    make = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    with make(PreparedCursor(connection.connection)) as cursor:  # type: ignore[arg-type] # the stubs want a wrapper
        yield cursor
