"""Run Telltale on this machine: servers, worker and web, until Ctrl-C."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import pghistory
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.shortcuts import resolve_url
from django.template import engines
from django.template.loader import get_template

from annotator.core.celery_app import app
from annotator.demo.people import DEMO_PASSWORD, demo_people, study_is_empty
from annotator.embedded import supervisor
from annotator.embedded.home import Home, make_home
from annotator.embedded.locks import holding
from annotator.embedded.process import ChildFailed, StillRunning, run_in_child
from annotator.embedded.restarts import Service
from annotator.embedded.schema import migrate_in_turn
from annotator.embedded.servers import ServersInUse, hold_servers, remove_data, servers_are_up, start_servers
from annotator.models import Annotator
from annotator.site.static_files import collect_static

HOST = "127.0.0.1"
# By their names, because the configuration imports what stands below it. The first two set the environment for others.
NEEDED_BY_COPIES = (
    "annotator.config.gunicorn", "annotator.config.celery", "annotator.config.wsgi", "annotator.config.web_worker",
    "gunicorn.app.wsgiapp", "psycopg_pool", "celery.app.routes", "celery.apps.worker", "celery.backends.base",
    "celery.concurrency.asynpool", "celery.events.state", "celery.worker.consumer", "kombu.pidbox",
    "kombu.transport.redis", "billiard.popen_fork", "billiard.sharedctypes", "billiard.synchronize",
    "cryptography.fernet",
)  # fmt: skip


class Command(BaseCommand):
    help = "Start everything on this machine and stay until Ctrl-C."
    needs_servers = False  # it starts them itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=2, help="worker processes")
        parser.add_argument("--fresh", action="store_true", help="delete all data and start over, after asking")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument("--no-demo", action="store_true", help="don't load the demo study into an empty database")
        parser.add_argument("--verbose", action="store_true", help="write logs to the terminal instead of files")

    def handle(self, *args: str, **options: Any) -> None:
        home = settings.HOME
        self._make_home(home)
        started = time.monotonic()
        with holding(home.lock("up")) as lock, supervisor.interruptible():
            if lock is None:
                raise CommandError(f"Telltale is already running on the data in {home.root}: {_running_note(home)}")
            try:
                self._run(home, options, started)
            except supervisor.Interrupted:
                self.stdout.write("Stopped. The data is kept.")

    def _make_home(self, home: Home) -> None:
        if settings.EMBEDDED:
            make_home(home)
        else:  # no embedded server needs access to it
            home.logs.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _run(self, home: Home, options: dict[str, Any], started: float) -> None:
        with self._explained_end():
            supervisor.wait_for_earlier_run(home, self.stdout.write)
        self._refuse_taken_port(options["port"])
        if options["fresh"]:
            self._start_over(home, ask=not options["yes"])
        # The daemon's log is opened at its end: what happens from now on is passed on.
        with self._servers(home), (home.logs / "daemon.log").open("a+") as daemon_log:
            migrate_in_turn(home)
            connections.close_all()  # no copy of this process may use ours
            children: list[Service] = []
            with supervisor.stop_afterwards(children), self._explained_end():
                self._start_children(children, home, options)
                self._fill_database(options)
                people = demo_people() if settings.EMBEDDED else []  # a second of hashing, while the others start
                self._wait_for_web(children, home, options["port"])
                self._welcome(people, home, options["port"], time.monotonic() - started)
                supervisor.watch(children, lambda: self._tend_servers(home, daemon_log), self._say)

    def _refuse_taken_port(self, port: int) -> None:
        if not supervisor.port_is_free(HOST, port):
            raise CommandError(f"Port {port} is in use by another program. Try: bin/up --port {port + 1}")

    def _start_over(self, home: Home, *, ask: bool) -> None:
        if not settings.EMBEDDED:
            raise CommandError("--fresh removes embedded data only. DATABASE_URL is set: empty that database yourself.")
        if ask and not self._is_confirmed(home):
            raise CommandError("Nothing was removed.")
        try:
            remove_data(home)
        except ServersInUse as error:
            raise CommandError(str(error)) from error
        make_home(home)

    def _is_confirmed(self, home: Home) -> bool:
        self.stdout.write(f"This removes every profile, judgement and account in {home.root}.")
        try:
            return input("Type yes to continue: ").strip().lower() == "yes"
        except EOFError:
            return False

    def _servers(self, home: Home) -> AbstractContextManager[None]:
        if not settings.EMBEDDED:
            self._load()
            return nullcontext()
        self.stdout.write("  starting Postgres and Valkey …")
        return hold_servers(home, meanwhile=self._load)

    def _load(self) -> None:
        """Load what the worker and the web server need, because they are copies of this process."""
        with self._step("collecting static files"):
            collect_static()  # before the site is loaded, which lists them
        for module in NEEDED_BY_COPIES:
            import_module(module)
        app.loader.import_default_modules()  # the tasks
        app.finalize()  # or each copy would bind them for itself
        _load_pages()

    def _start_children(self, children: list[Service], home: Home, options: dict[str, Any]) -> None:
        def log(name: str) -> Any:
            return None if options["verbose"] else home.logs / f"{name}.log"

        lock, port = home.lock, options["port"]
        children.append(supervisor.start_worker(log("worker"), processes=options["workers"], lock=lock("worker")))
        children.append(supervisor.start_web(log("web"), host=HOST, port=port, lock=lock("web")))
        self.stdout.write("  starting the worker and the web server …")

    def _fill_database(self, options: dict[str, Any]) -> None:
        """Write the demo study into an empty database, while the worker and the web server start."""
        if options["no_demo"] or settings.PRODUCTION or not study_is_empty():
            return
        connections.close_all()  # the other process must not use ours
        with self._step("writing the demo study"):
            run_in_child(self._write_demo)

    def _write_demo(self) -> None:
        from annotator.demo.study import load_demo  # noqa: PLC0415 DuckDB and more, only where it is needed

        with pghistory.context(command="up"):
            load_demo(with_passwords=settings.EMBEDDED, tell=self._print_detail)

    def _wait_for_web(self, children: list[Service], home: Home, port: int) -> None:
        while supervisor.port_is_free(HOST, port):
            supervisor.check_start(children)
            time.sleep(0.05)
        home.lock("up").write_text(f"http://{HOST}:{port}")

    def _tend_servers(self, home: Home, daemon_log: TextIO) -> None:
        """Pass on what the daemon says about its servers. If the daemon itself is gone, start it again."""
        if not settings.EMBEDDED:
            return
        for line in daemon_log:
            self._say(line.rstrip())
        if not servers_are_up(home):
            self._say("Postgres and Valkey stopped. They are restarting; pages fail until then.")
            start_servers(home)
            self._say("Postgres and Valkey are back.")

    def _say(self, line: str) -> None:
        """Tell the person at the terminal, with the time: they may look hours later."""
        self.stdout.write(f"{time.strftime('%H:%M:%S')} {line}")

    @contextmanager
    def _explained_end(self) -> Iterator[None]:
        try:
            yield
        except (supervisor.ChildEnded, ChildFailed, StillRunning) as error:
            supervisor.ignore_interrupts()
            raise CommandError(str(error)) from error
        except supervisor.Interrupted:
            supervisor.ignore_interrupts()
            self.stdout.write("\nStopping …")
            raise

    @contextmanager
    def _step(self, description: str) -> Iterator[None]:
        self.stdout.write(f"  {description} …")
        started = time.monotonic()
        yield
        seconds = time.monotonic() - started
        if seconds > 2:
            self.stdout.write(f"    done in {seconds:.0f} s")

    def _print_detail(self, line: str) -> None:
        self.stdout.write(f"    {line}")

    def _welcome(self, people: list[Annotator], home: Home, port: int, seconds: float) -> None:
        lines = ["", f"Telltale is ready ({seconds:.1f} s):  http://{HOST}:{port}/", ""]
        if people:
            lines += [f"  {person.username:<10} {', '.join(person.roles)}" for person in people]
            lines += [f"  all with the password  {DEMO_PASSWORD}", ""]
        else:
            lines += [
                "  There are no demo accounts. Create the first admin:  bin/manage invite_person --role admin",
                "",
            ]
        lines += [f"  data and logs: {home.root}", "  Ctrl-C stops everything and keeps the data.", ""]
        self.stdout.write("\n".join(lines))


def _load_pages() -> None:
    """Import all views and compile all templates: the copies share them, and the first pages come faster."""
    resolve_url(settings.LOGIN_URL)
    for folder in map(Path, engines["django"].dirs):
        for file in folder.rglob("*.html"):
            get_template(str(file.relative_to(folder)))


def _running_note(home: Home) -> str:
    return supervisor.running_url(home) or "it is just starting."
