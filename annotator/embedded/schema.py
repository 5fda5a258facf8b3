"""Bring the database up to date before a command uses it.

The embedded database belongs to this installation, so commands migrate it themselves. Somebody else's server may be
shared with processes of another version and wants a backup first: there, commands only name the command to run.
"""

import sys

from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

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
        migrate_embedded(home)
    elif count := _pending_migrations():
        raise DatabaseOutdated(OUTDATED.format(count=count))


def migrate_embedded(home: Home) -> None:
    """Migrate if anything is pending. Of several commands at once, one migrates and the others wait."""
    with holding(home.lock("migrate"), wait=True):
        if _pending_migrations():
            sys.stderr.write(f"{MIGRATING}\n")
            call_command("migrate", verbosity=0, interactive=False)


def _pending_migrations() -> int:
    try:
        executor = MigrationExecutor(connection)
    except OperationalError as error:
        raise DatabaseUnreachable(UNREACHABLE.format(reason=str(error).strip())) from error
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
