"""Statistics are renewed where waiting for autovacuum would be slow."""

import pytest
from django.db import connection

from annotator.core.vacuum import analyse_changed
from annotator.models import Annotator, Batch

pytestmark = pytest.mark.django_db(transaction=True)
STATISTICS = "SELECT analyze_count, n_mod_since_analyze FROM pg_stat_user_tables WHERE relname = 'annotator_annotator'"


def statistics() -> tuple[int, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute(STATISTICS)
        count, changed = cursor.fetchone()
        return count, changed


def add_people(prefix: str, count: int) -> None:
    Annotator.objects.bulk_create(Annotator(username=f"{prefix}{number}") for number in range(count))
    statistics()  # Postgres now knows of them


def test_a_table_is_analysed_once_a_tenth_has_changed():
    add_people("first", 1)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE annotator_annotator")
    before, changed = statistics()
    assert changed == 0
    add_people("few", 20)
    analyse_changed([Annotator, Batch])
    assert statistics() == (before, 20)
    add_people("many", 100)
    analyse_changed([Annotator, Batch])
    analyse_changed([Annotator, Batch])
    assert statistics() == (before + 1, 0)
