"""Check whether the embedded servers are ready and the database exists. A separate module, to load psycopg late."""

import socket
import time

import psycopg

from annotator.embedded.home import Home
from annotator.embedded.postgres import DATABASE


def connect(home: Home, database: str = DATABASE) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(host=str(home.sockets), user=DATABASE, dbname=database, autocommit=True, connect_timeout=5)


def postgres_is_ready(home: Home, database: str = DATABASE) -> bool:
    try:
        connect(home, database).close()
    except psycopg.OperationalError:  # still starting, or creating its database
        return False
    return True


def valkey_is_ready(home: Home) -> bool:
    """Send PING over a plain socket: importing the Redis client would take longer than most commands."""
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(2)
            client.connect(str(home.valkey_socket))
            client.sendall(b"PING\r\n")
            return client.makefile("rb").readline() == b"+PONG\r\n"  # not while it still reads its journal
    except OSError:  # not there yet
        return False


def finish_start(home: Home) -> None:
    """Wait until both servers are ready, for as long as it takes, and create the database if there is none."""
    while not (postgres_is_ready(home, "postgres") and valkey_is_ready(home)):
        time.sleep(0.02)
    with connect(home, "postgres") as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(f"CREATE DATABASE {DATABASE}")
