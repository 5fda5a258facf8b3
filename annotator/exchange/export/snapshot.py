"""A consistent view of the database, however long reading takes and whatever is judged meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection, transaction

READ_ONLY_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


@contextmanager
def snapshot() -> Iterator[None]:
    """Read everything as of one moment, and refuse writes.

    Inside an open transaction, that transaction's isolation applies.
    """
    is_open = connection.in_atomic_block
    with transaction.atomic():
        if not is_open:
            with connection.cursor() as cursor:
                cursor.execute(READ_ONLY_SNAPSHOT)
        yield


def snapshot_time() -> datetime:
    """The moment of the snapshot by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        at: datetime = cursor.fetchone()[0]
    return at
