"""Django's Postgres backend, with faster versions of two things that every request does, and one repair.

- Check that a pooled connection still works. Django's own check (CONN_HEALTH_CHECKS) runs a query per request.
- Parse timestamps, dozens per request. Django's loader uses a regular expression; Python has a built-in parser.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, partial
from select import POLLIN, poll
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, DataError, OperationalError, adapters
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Loader
from psycopg_pool import ConnectionPool

TIMESTAMPTZ = adapters.types["timestamptz"].oid


class UtcLoader(Loader):
    timezone = UTC  # Django compares it with the time zone of the connection

    def load(self, data: Buffer) -> datetime:
        """Parse a timestamp as Postgres formats it in UTC, such as 2026-11-20 01:02:03.9+00."""
        try:
            return datetime.fromisoformat(str(data, "ascii"))
        except ValueError:
            raise DataError("Python can’t represent this time: infinite, or a year below 1 or above 9999.") from None


class DatabaseWrapper(base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        return params | ({"context": _with_quick_times(params["context"])} if self.timezone == UTC else {})

    def on_commit(self, func: Callable[[], object], robust: bool = False) -> None:
        """Django logs failed callbacks by their qualified name. A partial has none, so logging it would fail, too."""
        if isinstance(func, partial):
            func.__qualname__ = getattr(func.func, "__qualname__", type(func.func).__name__)  # type: ignore[attr-defined]
        super().on_commit(func, robust)

    def get_new_connection(self, conn_params: dict[str, Any]) -> "Connection[Any]":
        """Skip pooled connections that Postgres has closed. After a restart, that is all of them."""
        connection: Connection[Any] = super().get_new_connection(conn_params)
        while self.pool and not works(connection):
            connection.close()
            self.pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection


@cache
def _with_quick_times(context: AdaptersMap) -> AdaptersMap:
    quick = AdaptersMap(context)
    quick.register_loader(TIMESTAMPTZ, UtcLoader)
    return quick


def works(connection: "Connection[Any]") -> bool:
    """Whether the connection is usable. An idle one has nothing to read; if there is something, ask Postgres."""
    waiting = poll()
    waiting.register(connection.fileno(), POLLIN)
    if not waiting.poll(0):
        return True
    try:
        ConnectionPool.check_connection(connection)
    except OperationalError:
        return False
    return True
