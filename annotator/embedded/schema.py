"""Bring the database up to date before a command uses it.

The embedded database belongs to this installation, so commands migrate it themselves. Somebody else's server may be
shared with processes of another version and wants a backup first: there, commands only name the command to run.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pkgutil import iter_modules

from django.apps import apps
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from annotator.embedded.first_schema import create_schema, is_empty
from annotator.embedded.home import Home
from annotator.embedded.locks import holding

# These work on an outdated database, or are there to look into it.
WITHOUT_CHECK = frozenset({
    "dbshell", "inspectdb", "makemigrations", "migrate", "optimizemigration", "pgtrigger", "runserver", "shell",
    "showmigrations", "sqlflush", "sqlmigrate", "sqlsequencereset", "squashmigrations", "test", "testserver",
})  # fmt: skip
MIGRATING = "  bringing the database up to date …"
OUTDATED = (
    "The database is not up to date: {count} migrations have not run. Nothing was changed. Back it up, then run: "
    "bin/manage migrate"
)
UNREACHABLE = "The database cannot be reached, so nothing was changed. Check DATABASE_URL and the server. {reason}"


class DatabaseOutdated(Exception):
    """The database lacks migrations, and it is not ours to migrate."""


class DatabaseUnreachable(Exception):
    """The message says why."""


def prepare_database(home: Home | None) -> None:
    """Migrate the embedded database in `home`. Without one, refuse an outdated database: it is somebody else's."""
    if home is not None:
        migrate_in_turn(home)
    elif pending := pending_migrations():
        raise DatabaseOutdated(OUTDATED.format(count=len(pending)))


def migrate_in_turn(home: Home) -> None:
    """Migrate if anything is pending. Of several commands at once, one migrates and the others wait."""
    with holding(home.lock("migrate"), wait=True):
        if pending := pending_migrations():
            sys.stderr.write(f"{MIGRATING}\n")
            _migrate(pending)


def pending_migrations() -> set[tuple[str, str]]:
    """App and name of each migration that has not run. Their files are listed, not imported: there are a hundred."""
    try:
        applied = MigrationRecorder(connection).applied_migrations()
    except OperationalError as error:
        raise DatabaseUnreachable(UNREACHABLE.format(reason=str(error).strip())) from error
    return {(app.label, name) for app in apps.get_app_configs() for name in _migration_names(app.label)} - set(applied)


def _migration_names(app: str) -> Iterator[str]:
    module, _ = MigrationLoader.migrations_module(app)
    spec = find_spec(module) if module else None
    folders = spec.submodule_search_locations if spec else None
    for file in iter_modules(folders or []):  # some apps have none, or a module of that name
        if not file.ispkg and file.name[0] not in "_~":  # as Django decides it
            yield file.name


def _migrate(pending: set[tuple[str, str]]) -> None:
    if is_empty():
        create_schema(pending)
    else:
        call_command("migrate", verbosity=0, interactive=False)
