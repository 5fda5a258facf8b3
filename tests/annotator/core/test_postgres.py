"""Times come from Postgres as Django's own loader reads them."""

from datetime import UTC, datetime

import pytest
from django.db import DataError, connection
from django.db.backends.postgresql.psycopg_any import get_adapters_template
from psycopg.pq import Format

from annotator.core.postgres.base import TIMESTAMPTZ, UtcLoader

pytestmark = pytest.mark.django_db


def fetch(expression: str):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {expression}")
        return cursor.fetchone()[0]


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-20 01:02:03.123456+00",
        "2026-11-20 01:02:03+00",
        "0001-01-01 00:00:00+00",
        "9999-12-31 23:59:59.999999+00",
    ],
)
def test_times_are_those_of_django(text):
    theirs = get_adapters_template(True, UTC).get_loader(TIMESTAMPTZ, Format.TEXT)
    connection.ensure_connection()
    loaded = theirs(TIMESTAMPTZ, connection.connection).load(text.encode())
    assert fetch(f"'{text}'::timestamptz") == loaded
    assert fetch(f"'{text}'::timestamptz").tzinfo is UTC


def test_our_loader_is_used():
    assert fetch("'2026-11-20 01:02:03+02'::timestamptz") == datetime(2026, 11, 19, 23, 2, 3, tzinfo=UTC)
    assert connection.connection.adapters.get_loader(TIMESTAMPTZ, Format.TEXT) is UtcLoader


def test_times_that_python_lacks_are_refused():
    with pytest.raises(DataError):
        fetch("'infinity'::timestamptz")
