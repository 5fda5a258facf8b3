"""`bin/up` as people use it: real servers, worker and web, killed in every way."""

import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.annotator.embedded.installation import (
    PATIENCE,
    Installation,
    copy_home,
    fetch,
    free_port,
    kill,
    temporary_installation,
    wait_until,
)

pytestmark = [pytest.mark.processes]
HEAVY = {"spacy", "thinc", "pyarrow", "duckdb", "scipy", "pandas"}


@pytest.fixture
def port() -> int:
    return free_port()


def up(installation: Installation, port: int, *options: str):
    process = installation.start("up", "--no-demo", "--workers", "1", "--port", str(port), *options)
    wait_until(lambda: fetch(port, "/readyz") == 200 or process.poll() is not None)
    assert process.poll() is None, process.communicate()[0]
    return process


@pytest.fixture(scope="module")
def running(migrated_home: Path) -> Iterator[tuple[Installation, int]]:
    """One that runs, for tests that leave it running, and its port. Ctrl-C ends it, and nothing is left."""
    with temporary_installation() as installation:
        copy_home(migrated_home, installation.home)
        outbox = installation.home.with_name("outbox")
        installation.more["TELLTALE_MAIL_URL"] = f"filemail:///{outbox}"  # four slashes: an absolute path
        port = free_port()
        process = up(installation, port)
        yield installation, port
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert f"http://127.0.0.1:{port}/" in output
        assert "Stopped. The data is kept." in output
        assert not installation.processes()


def test_serves_pages(running):
    _, port = running
    assert fetch(port, "/healthz") == 200
    assert fetch(port, "/account/login/") == 200


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])


def test_copies_are_made_of_a_process_without_threads(running):
    """A thread that holds a lock at that moment would leave it locked in the copy for ever."""
    installation, _ = running
    copies = set(installation.pids_of("telltale-web"))
    [copied] = {parent_of(pid) for pid in copies} - copies
    assert len(list(Path(f"/proc/{copied}/task").iterdir())) == 1


def test_heavy_libraries_are_loaded_only_when_needed(running):
    installation, port = running
    assert fetch(port, "/account/login/") == 200
    for pid in installation.pids_of("telltale-web") + installation.pids_of("telltale-worker"):
        libraries = Path(f"/proc/{pid}/maps").read_text()
        assert not {name for name in HEAVY if f"site-packages/{name}/" in libraries}


def comes_back(installation: Installation, *words: str) -> None:
    """Kill a process, and wait for another one like it."""
    before = installation.pid_of(*words)
    kill(before)
    wait_until(lambda: set(installation.pids_of(*words)) - {before} and before not in installation.processes())


def test_starts_the_worker_and_the_web_server_again(running):
    installation, port = running
    comes_back(installation, "telltale-worker")
    comes_back(installation, "telltale-web")
    wait_until(lambda: fetch(port, "/account/login/") == 200)


@pytest.mark.long
def test_keeps_its_data_when_it_or_one_of_its_servers_is_killed(migrated, port):
    killed = up(migrated, free_port())  # another one, on which the second doesn't answer
    assert migrated.run("shell", "-c", MAKE_SUBREDDIT).returncode == 0
    kill(killed.pid)
    process = up(migrated, port)  # at once: it waits for what is left of the first
    killed.communicate()
    assert "kept" in migrated.run("shell", "-c", SHOW_SUBREDDITS).stdout
    for words in (["valkey-server:"], ["postgres", "-D"], ["annotator.embedded.daemon"]):
        comes_back(migrated, *words)
        wait_until(lambda: fetch(port, "/readyz") == 200)
    assert "kept" in migrated.run("shell", "-c", SHOW_SUBREDDITS).stdout
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "Valkey ended by itself" in output
    assert "Postgres ended by itself" in output
    assert "Postgres and Valkey are back" in output
    assert "Traceback" not in output


def test_a_real_worker_sends_what_a_command_asks_for(running):
    installation, port = running
    outbox = installation.home.with_name("outbox")
    invited = installation.run("invite_person", "--role", "evaluator", "--email", "ada@example.org")
    assert invited.returncode == 0, invited.stderr
    assert invited.stdout.startswith(f"http://127.0.0.1:{port}/join/")
    wait_until(lambda: outbox.exists() and list(outbox.iterdir()))
    assert invited.stdout.strip() in "".join(file.read_text() for file in outbox.iterdir())


def test_says_so_when_the_port_is_taken(migrated, port):
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        refused = migrated.run("up", "--port", str(port))
    assert refused.returncode == 1
    assert f"Port {port} is in use" in refused.stderr
    assert f"--port {port + 1}" in refused.stderr


def test_refuses_to_run_twice_on_the_same_data(running):
    installation, port = running
    second = installation.run("up", "--port", str(free_port()))
    assert second.returncode == 1
    assert f"already running on the data in {installation.home}: http://127.0.0.1:{port}" in second.stderr


def test_starts_over_only_after_a_yes(migrated):
    kept = migrated.run("up", "--fresh", "--port", str(free_port()), typed="no\n")
    assert kept.returncode == 1
    assert "Nothing was removed." in kept.stderr
    assert (migrated.home / "postgres" / "data").exists()


@pytest.mark.long
def test_fresh_removes_the_data(migrated, port):
    assert migrated.run("shell", "-c", MAKE_SUBREDDIT).returncode == 0
    for folder in ("uploads", "exports", "ingest", "dumps"):
        (migrated.home / folder).mkdir()
    process = up(migrated, port, "--fresh", "--yes")
    assert not (migrated.home / "uploads").exists()
    assert not (migrated.home / "exports").exists()
    assert not (migrated.home / "ingest").exists()
    assert (migrated.home / "dumps").exists()
    assert "kept" not in migrated.run("shell", "-c", SHOW_SUBREDDITS).stdout
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)


MAKE_SUBREDDIT = "from profiles.models import Subreddit; Subreddit.objects.create(name='kept')"
SHOW_SUBREDDITS = "from profiles.models import Subreddit; print(list(Subreddit.objects.values_list('name')))"
