"""One moment of the database, however long the reading takes and whatever is judged meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

FROZEN = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


@contextmanager
def snapshot() -> Iterator[None]:
    """Everything read inside was true at once. Nothing can be written inside, not even by mistake.

    Within a transaction that is open already, that one decides.
    """
    is_open = connection.in_atomic_block
    with transaction.atomic():
        if not is_open:
            with connection.cursor() as cursor:
                cursor.execute(FROZEN)
        yield
