"""Django's Postgres backend, with two things cheaper that every request does.

- Whether a pooled connection still works: Django's own check (CONN_HEALTH_CHECKS) is a query for each request.
- Reading times: Django's loader takes apart what Python can read by itself, and a request reads dozens.
"""

from datetime import UTC, datetime
from functools import cache
from select import POLLIN, poll
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, DataError, OperationalError, adapters
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Loader
from psycopg_pool import ConnectionPool

TIMESTAMPTZ = adapters.types["timestamptz"].oid


class UtcLoader(Loader):
    timezone = UTC  # Django looks whether it is that of the connection

    def load(self, data: Buffer) -> datetime:
        """Read a time in ISO format, as Postgres writes it in UTC: 2026-11-20 01:02:03.9+00."""
        try:
            return datetime.fromisoformat(str(data, "ascii"))
        except ValueError:
            raise DataError("Python has no such time: infinity, or a year before 1 or after 9999.") from None


class DatabaseWrapper(base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        return params | ({"context": _with_quick_times(params["context"])} if self.timezone == UTC else {})

    def get_new_connection(self, conn_params: dict[str, Any]) -> "Connection[Any]":
        """From the pool, skip connections that Postgres has closed, as all are after it was restarted."""
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
    """Postgres is silent while nobody asks it anything. If it is not, it may have said that it is leaving: then ask."""
    waiting = poll()
    waiting.register(connection.fileno(), POLLIN)
    if not waiting.poll(0):
        return True
    try:
        ConnectionPool.check_connection(connection)
    except OperationalError:
        return False
    return True
