"""Run management commands, with the embedded servers for as long as a command needs them."""

import gc
import sys
from contextlib import AbstractContextManager, nullcontext

import django
import pghistory
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line, get_commands, load_command_class
from django.core.management.base import BaseCommand

from annotator.embedded.home import HomeUnreachable, current_home, servers_are_embedded
from annotator.embedded.schema import WITHOUT_CHECK, DatabaseOutdated, DatabaseUnreachable, prepare_database
from annotator.embedded.servers import ServersDidNotStart, hold_servers

# Our own commands set `needs_servers = False`, or decide by their arguments; these belong to libraries.
WITHOUT_DATABASE = frozenset({
    "check", "collectstatic", "compilemessages", "diffsettings", "findstatic", "help", "makemessages",
    "startapp", "startproject", "--help", "-h", "--version", "version",
})  # fmt: skip
OUR_APPS = frozenset({"annotator", "evaluation", "profiles"})
WITH_CHECKS = frozenset({"up"})
# These change no conclusions, or only start the processes that do.
WITHOUT_HISTORY = frozenset({"migrate", "runserver", "test", "up"})


def run(argv: list[str]) -> None:
    """Run the command in argv. Print a message, not a traceback, for faults that people can fix."""
    try:
        django.setup()
        _spare_the_collector()
        with _servers_for(argv):
            _prepare_for(argv)
            with history_context(argv):
                execute_from_command_line(without_checks(argv))
    except ImproperlyConfigured as error:
        sys.exit(f"Telltale is not set up: {error}")
    except (HomeUnreachable, ServersDidNotStart, DatabaseOutdated, DatabaseUnreachable) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


def _spare_the_collector() -> None:
    """Exclude Django and our models from garbage collection: they stay in memory until the end anyway.

    `manage.py` turned collection off while they were loaded. Together, this saves a quarter of the time of a short
    command. What the command itself loads isn't excluded: DuckDB would report it as leaked at exit.
    """
    gc.freeze()
    gc.enable()


def history_context(argv: list[str]) -> AbstractContextManager[object]:
    """Record the command's name with its changes, because nobody is signed in."""
    name = argv[1] if len(argv) > 1 else "help"
    return nullcontext() if name in WITHOUT_HISTORY else pghistory.context(command=name)


def without_checks(argv: list[str]) -> list[str]:
    """Skip Django's system checks for our own commands: they import every page, which takes longer than most commands.

    `bin/up`, `check` and the tests run them.
    """
    name = argv[1] if len(argv) > 1 else "help"
    is_ours = get_commands().get(name) in OUR_APPS and name not in WITH_CHECKS
    command = _command(name) if is_ours and {"--help", "-h"}.isdisjoint(argv) else None
    return [*argv[:2], "--skip-checks", *argv[2:]] if command and command.requires_system_checks else argv


def _servers_for(argv: list[str]) -> AbstractContextManager[None]:
    if servers_are_embedded() and needs_servers(argv):
        return hold_servers(current_home())
    return nullcontext()


def _prepare_for(argv: list[str]) -> None:
    if needs_servers(argv) and argv[1] not in WITHOUT_CHECK:
        prepare_database(current_home() if servers_are_embedded() else None)


def needs_servers(argv: list[str]) -> bool:
    name = argv[1] if len(argv) > 1 else "help"
    if name in WITHOUT_DATABASE or {"--help", "-h"} & set(argv[2:]):
        return False
    command = _command(name)
    needed = getattr(command, "needs_servers", True)
    return command is not None and bool(needed(argv[2:]) if callable(needed) else needed)


def _command(name: str) -> BaseCommand | None:
    app = get_commands().get(name)
    if app is None:
        return None
    return app if isinstance(app, BaseCommand) else load_command_class(app, name)
