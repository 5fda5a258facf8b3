"""Signs of life of an export, on a connection of their own: its snapshot can write nothing and sees nothing new."""

import time
from types import TracebackType

from django.db import DEFAULT_DB_ALIAS, connections

EVERY = 0.5  # seconds
TELL = "UPDATE annotator_export SET done = %s, total = %s, beat_at = now() WHERE id = %s"


class Pulse:
    def __init__(self, export_id: int) -> None:
        self._export = export_id
        self._told_at = 0.0

    def __enter__(self) -> "Pulse":
        self._connection = connections.create_connection(DEFAULT_DB_ALIAS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def tell(self, done: int, total: int) -> None:
        if time.monotonic() - self._told_at < EVERY:
            return
        self._told_at = time.monotonic()
        with self._connection.cursor() as cursor:
            cursor.execute(TELL, [done, total, self._export])
