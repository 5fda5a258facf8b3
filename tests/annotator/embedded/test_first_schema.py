"""An empty database is created from the models, and is then the same as after all migrations."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.annotator.embedded.installation import temporary_installation
from tests.annotator.embedded.schema_description import QUERIES, describe_schema, filled_tables

CREATE_AND_PRINT = """
from annotator.embedded.home import current_home
from annotator.embedded.schema import prepare_database
from tests.annotator.embedded.schema_description import print_schema
prepare_database(current_home())
print_schema()
"""
# The first migration made the ids of these two narrower than the models would.
NARROWER_IDS = {"annotator_annotator_groups", "annotator_annotator_user_permissions"}

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def created() -> Iterator[dict[str, Any]]:
    """The database of a new installation."""
    with temporary_installation() as installation:
        ran = installation.run("shell", "-v", "0", "-c", CREATE_AND_PRINT)
        assert ran.returncode == 0, ran.stderr
        yield json.loads(ran.stdout)


@pytest.mark.parametrize("part", QUERIES)
def test_both_ways_create_the_same(part, created, db):
    created_rows, migrated_rows = (comparable(rows[part]) for rows in (created["schema"], describe_schema()))
    assert created_rows == migrated_rows


def test_no_migration_fills_a_table(created, db):
    """Rows that a migration writes into an empty database would be missing."""
    assert set(created["filled"]) == filled_tables()


def comparable(rows: list[list[str]]) -> list[list[str]]:
    return [row for row in rows if not (row[0] in NARROWER_IDS and row[1] == "id")]
