"""The migrated database that is kept between runs: for these migrations only."""

from pathlib import Path

import pytest

from tests import migrated
from tests.migrated import migrated_data, sources_digest
from tests.test_layout import APPS


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for folder in ("profiles/migrations", "profiles/models", "profiles/ingest"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "matters"),
    [
        ("profiles/migrations/0001_start.py", True),
        ("profiles/models/keys.py", True),
        ("requirements-test.lock", True),
        ("profiles/ingest/reading.py", False),
    ],
)
def test_a_change_of_migrations_is_noticed(project, name, matters):
    before = sources_digest(project)
    (project / name).write_text("1")
    added = sources_digest(project)
    (project / name).write_text("2")
    assert (len({before, added, sources_digest(project)}) == 3) is matters


def test_migrates_only_after_a_change_or_on_request(tmp_path, monkeypatch):
    runs: list[Path] = []
    monkeypatch.setattr(migrated, "_migrate_into", lambda data: runs.append(data) or data.mkdir())
    first = migrated_data(kept=tmp_path / "kept")
    assert migrated_data(kept=tmp_path / "kept") == first
    assert runs == [first]
    migrated_data(kept=tmp_path / "kept", anew=True)
    monkeypatch.setattr(migrated, "sources_digest", lambda: "changed")
    changed = migrated_data(kept=tmp_path / "kept")
    assert runs == [first, first, changed]
    assert list((tmp_path / "kept").iterdir()) == [changed]


@pytest.mark.django_db
def test_the_database_of_the_tests_has_all_migrations(django_db_setup):
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []


def test_every_migration_can_be_undone():
    """None is tried: going back through all of them and forth takes half a minute."""
    from django.db.migrations.loader import MigrationLoader

    own = [migration for (app, _), migration in MigrationLoader(None).disk_migrations.items() if app in APPS]
    assert own
    assert [str(migration) for migration in own for step in migration.operations if not step.reversible] == []
