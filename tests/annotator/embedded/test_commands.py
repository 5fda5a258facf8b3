"""`bin/manage` alone and beside others, on embedded and on other people's servers."""

import signal

import pytest

from annotator.embedded.commands import needs_servers
from annotator.embedded.home import Home
from annotator.embedded.servers import hold_servers, servers_are_up
from tests.annotator.embedded.installation import PATIENCE, Installation, copy_home, fetch, free_port, kill, wait_until

pytestmark = [pytest.mark.processes]


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


def test_the_last_of_two_users_stops_the_servers(installation):
    """The one that started them may leave first."""
    home = Home(installation.home)
    slow = installation.start("shell", "-c", "import time; time.sleep(4)")
    wait_until(lambda: servers_are_up(home))
    with hold_servers(home):
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
        ({"TELLTALE_PRODUCTION": "1", "TELLTALE_SECRET_KEY": "k" * 50}, "TELLTALE_ACCOUNT_KEY"),
        (
            {"TELLTALE_PRODUCTION": "1", "TELLTALE_SECRET_KEY": "k" * 50, "TELLTALE_ACCOUNT_KEY": "a" * 50},
            "DATABASE_URL",
        ),
        ({"TELLTALE_PRODUCTION": "1", "TELLTALE_DEBUG": "1"}, "TELLTALE_DEBUG"),
        ({"TELLTALE_PRODUCTION": "ture"}, "TELLTALE_PRODUCTION"),
        ({"TELLTALE_HOSTS": ""}, "TELLTALE_HOSTS"),
        ({"TELLTALE_DB_POOL": "many"}, "TELLTALE_DB_POOL"),
        ({"TELLTALE_LOG_LEVEL": "loud"}, "TELLTALE_LOG_LEVEL"),
        ({"TELLTALE_LOCKOUT": "rubbish"}, "TELLTALE_LOCKOUT"),
    ],
)
def test_names_the_variable_that_is_missing_or_wrong(installation, variables, named):
    refused = Installation(installation.home, variables).run("check")
    assert refused.returncode == 1
    assert named in refused.stderr
    assert "Traceback" not in refused.stderr
