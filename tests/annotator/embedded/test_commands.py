"""`bin/manage` alone and beside other processes, with embedded and with external servers."""

import gc
import secrets
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

import pytest

from annotator.embedded import commands
from annotator.embedded.clients import connect
from annotator.embedded.commands import needs_servers, without_checks
from annotator.embedded.home import Home
from annotator.embedded.schema import MIGRATING
from annotator.embedded.servers import hold_servers, servers_are_up
from tests.annotator.corpora.dumps import dump_lines
from tests.annotator.embedded.installation import PATIENCE, Installation, copy_home, fetch, free_port, kill, wait_until

pytestmark = [pytest.mark.processes]
KEY = secrets.token_hex(32)


def test_starts_the_servers_for_the_length_of_a_command(installation):
    """`migrate` on an empty home is how `migrated_home` is made."""
    ran = installation.run("shell", "-c", "from django.db import connection; connection.ensure_connection()")
    assert ran.returncode == 0, ran.stderr
    assert (installation.home / "postgres" / "data").exists()
    assert not installation.processes()


def test_shares_servers_that_somebody_else_runs(migrated):
    home = Home(migrated.home)
    with hold_servers(home):
        assert migrated.run("migrate", "--verbosity", "0").returncode == 0
        assert servers_are_up(home)
    assert not servers_are_up(home)


def test_the_last_of_two_users_stops_the_servers(installation, tmp_path):
    """The one that started them may leave first."""
    home, end = Home(installation.home), tmp_path / "end"
    code = f"import pathlib, time\nwhile not pathlib.Path({str(end)!r}).exists(): time.sleep(0.05)"
    slow = installation.start("shell", "-c", code)
    wait_until(lambda: servers_are_up(home))
    with hold_servers(home):
        end.touch()
        slow.communicate(timeout=PATIENCE)
        assert servers_are_up(home)
    assert not servers_are_up(home)


def test_a_killed_user_does_not_keep_the_servers(installation):
    slow = installation.start("shell", "-c", "import time; time.sleep(60)")
    wait_until(lambda: servers_are_up(Home(installation.home)))
    kill(slow.pid)
    slow.communicate()
    wait_until(lambda: not installation.processes())


def test_starts_nothing_for_a_command_that_needs_no_database(installation):
    assert installation.run("check").returncode == 0
    assert not (installation.home / "postgres").exists()


@pytest.mark.parametrize(
    ("command", "needed"),
    [("migrate", True), ("shell", True), ("check", False), ("up", False), ("help", False), ("nonsense", False)],
)
def test_knows_which_commands_need_servers(command, needed):
    assert needs_servers(["manage.py", command]) is needed


def serves_pages(installation: Installation) -> bool:
    port = free_port()
    process = installation.start("up", "--no-demo", "--workers", "1", "--port", str(port))
    wait_until(lambda: fetch(port, "/readyz") == 200 or process.poll() is not None)
    served = fetch(port, "/account/login/") == 200
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    return served


@pytest.mark.long
def test_uses_the_servers_named_in_the_environment_and_embeds_nothing(installation, migrated_home):
    """The embedded servers of another installation stand in for somebody's own."""
    theirs = Home(installation.home.with_name("theirs"))
    copy_home(migrated_home, theirs.root)
    with hold_servers(theirs):
        urls = {
            "DATABASE_URL": f"postgres://telltale@/telltale?host={theirs.sockets}",
            "REDIS_URL": f"unix://{theirs.valkey_socket}",
        }
        ours = Installation(installation.home, urls)
        migrated = ours.run("migrate", "--verbosity", "0")
        assert migrated.returncode == 0, migrated.stderr
        assert "[X]" in ours.run("showmigrations", "profiles").stdout
        assert serves_pages(ours)
    assert not (installation.home / "postgres").exists()


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"DATABASE_URL": "postgres://x@localhost/x"}, "REDIS_URL"),
        ({"REDIS_URL": "redis://localhost/0"}, "DATABASE_URL"),
        ({"TELLTALE_PRODUCTION": "1"}, "TELLTALE_SECRET_KEY"),
        ({"TELLTALE_PRODUCTION": "1", "TELLTALE_SECRET_KEY": "k" * 64}, "TELLTALE_SECRET_KEY"),
        ({"TELLTALE_PRODUCTION": "1", "TELLTALE_SECRET_KEY": KEY}, "TELLTALE_ACCOUNT_KEY"),
        (
            {"TELLTALE_PRODUCTION": "1", "TELLTALE_SECRET_KEY": KEY, "TELLTALE_ACCOUNT_KEY": KEY},
            "TELLTALE_ACCOUNT_KEY is the same",
        ),
        (
            {"TELLTALE_PRODUCTION": "1", "TELLTALE_SECRET_KEY": KEY, "TELLTALE_ACCOUNT_KEY": KEY[::-1]},
            "DATABASE_URL",
        ),
        ({"TELLTALE_PRODUCTION": "1", "TELLTALE_DEBUG": "1"}, "TELLTALE_DEBUG"),
        ({"TELLTALE_PRODUCTION": "ture"}, "TELLTALE_PRODUCTION"),
        ({"TELLTALE_HOSTS": ""}, "TELLTALE_HOSTS"),
        ({"TELLTALE_DB_POOL": "many"}, "TELLTALE_DB_POOL"),
        ({"TELLTALE_LOG_LEVEL": "loud"}, "TELLTALE_LOG_LEVEL"),
        ({"TELLTALE_LOCKOUT": "rubbish"}, "TELLTALE_LOCKOUT"),
        ({"TELLTALE_LOCKOUT": "0/15m"}, "TELLTALE_LOCKOUT"),
    ],
)
def test_names_the_variable_that_is_missing_or_wrong(installation, variables, named):
    refused = Installation(installation.home, variables).run("check")
    assert refused.returncode == 1
    assert named in refused.stderr
    assert "Traceback" not in refused.stderr


# ── A database that is not up to date ───────────────────────────────────────


@pytest.mark.long
def test_a_command_on_a_fresh_clone_migrates_first(installation):
    dump = installation.home.with_name("RC_2013-05.ndjson")
    dump.write_text(dump_lines("I moved to Houston last week"))
    ran = installation.run("ingest_dumps", str(dump), "--corpus", "first", "--subreddits", "all")
    assert ran.returncode == 0, ran.stderr
    assert MIGRATING in ran.stderr
    again = installation.run("ingest_dumps", str(dump), "--corpus", "first")
    assert (again.returncode, MIGRATING in again.stderr) == (0, False)


@pytest.fixture
def theirs(installation) -> Iterator[tuple[Installation, Home]]:
    """Somebody's own servers with an empty database."""
    home = Home(installation.home.with_name("theirs"))
    with hold_servers(home):
        urls = {
            "DATABASE_URL": f"postgres://telltale@/telltale?host={home.sockets}",
            "REDIS_URL": f"unix://{home.valkey_socket}",
        }
        yield Installation(installation.home, urls), home


def test_a_command_on_an_outdated_database_of_others_names_what_to_run(theirs):
    ours, home = theirs
    refused = ours.run("build_gold")
    assert refused.returncode == 1
    assert "bin/manage migrate" in refused.stderr
    assert "Traceback" not in refused.stderr
    with connect(home) as connection:
        tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        assert connection.execute(tables).fetchone() == (0,)


def test_a_database_that_does_not_answer_is_named_without_a_traceback(installation):
    urls = {"DATABASE_URL": f"postgres://telltale@/telltale?host={installation.home}", "REDIS_URL": "unix:///nowhere"}
    refused = Installation(installation.home, urls).run("build_gold")
    assert refused.returncode == 1
    assert "DATABASE_URL" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("argv", "skips"),
    [
        (["export_gold", "--corpus", "a"], True), (["subreddit_hints", "list"], True), (["score_spans"], False),
        (["up"], False), (["check"], False), (["migrate"], False), (["export_gold", "--help"], False), ([], False),
    ],
)  # fmt: skip
def test_our_own_commands_skip_the_checks_that_import_every_page(argv, skips):
    """`score_spans` has none; Django refuses the option then."""
    assert without_checks(["manage.py", *argv]) == (
        ["manage.py", argv[0], "--skip-checks", *argv[1:]] if skips else ["manage.py", *argv]
    )


def test_the_collector_passes_over_what_is_loaded_before_the_command(monkeypatch):
    """Not over what the command loads: at the end, DuckDB complains if nobody collects what is left of it."""
    moments = []

    def load(_: list[str]) -> AbstractContextManager[None]:
        moments.append(("load", gc.get_freeze_count() > 0))
        return nullcontext()

    monkeypatch.setattr(commands, "_servers_for", load)
    monkeypatch.setattr(commands, "execute_from_command_line", lambda _: moments.append(("run", gc.isenabled())))
    gc.disable()  # as manage.py does
    gc.unfreeze()
    try:
        commands.run(["manage.py", "version"])
    finally:
        gc.unfreeze()
        gc.enable()
    assert moments == [("load", True), ("run", True)]
