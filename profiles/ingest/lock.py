"""One ingest at a time per corpus, across machines: a database lock, which is released if its process is killed."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.utils import timezone

from profiles.ingest.plan import IngestRefused
from profiles.models import Corpus, Ingest

LOCKS = 7_310  # our namespace among the database's advisory locks; the second number is the corpus
HELD = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
WHERE locktype = 'advisory' AND classid = %s AND objid = %s AND datname = current_database() AND granted
"""


def refuse_second_run(corpus: Corpus) -> None:
    """Raise IngestRefused if an ingest of the corpus is running, or was requested and has not begun yet."""
    with connection.cursor() as cursor:
        cursor.execute(HELD, [LOCKS, corpus.pk])
        is_held = cursor.fetchone()[0] > 0
    if is_held or corpus.ingests.running().filter(stage=Ingest.Stage.WAITING).exists():
        raise IngestRefused(f"“{corpus.name}” is being imported right now. Wait until the import has finished.")


@contextmanager
def alone_with(ingest: Ingest) -> Iterator[None]:
    corpus = ingest.corpus
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCKS, corpus.pk])
        if not cursor.fetchone()[0]:
            raise IngestRefused(f"“{corpus.name}” is being imported right now. Wait until the import has finished.")
    try:
        corpus.refresh_from_db()
        _end_the_killed(ingest)
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCKS, corpus.pk])


def _end_the_killed(ingest: Ingest) -> None:
    """Mark runs that were killed as stopped, since they could not do so themselves."""
    begun = Ingest.objects.exclude(pk=ingest.pk).exclude(stage=Ingest.Stage.WAITING)
    left = begun.filter(corpus=ingest.corpus, finished_at=None)
    left.update(
        stage=Ingest.Stage.STOPPED, finished_at=timezone.now(), problem="It was killed. A later run continued it."
    )
