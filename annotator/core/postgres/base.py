"""Django's Postgres backend, which sees without asking Postgres that a pooled connection still works.

Django's own check (CONN_HEALTH_CHECKS) is a query at the start of every request, as slow as finding the person.
"""

from select import POLLIN, poll
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> "Connection[Any]":
        """From the pool, skip connections that Postgres has closed, as all are after it was restarted."""
        connection: Connection[Any] = super().get_new_connection(conn_params)
        while self.pool and not works(connection):
            connection.close()
            self.pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection


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
