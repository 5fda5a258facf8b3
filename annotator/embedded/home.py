"""The folder that holds the data of an installation, and who may enter it."""

import hashlib
import os
import pwd
import secrets
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
MAX_SOCKET_PATH = 100  # the kernel refuses Unix socket paths above 107 bytes


class HomeUnreachable(Exception):
    """The account that the embedded Postgres runs as cannot enter the data folder."""


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds everything an installation must keep."""

    root: Path

    @property
    def sockets(self) -> Path:
        inside = self.root / "sockets"
        if len(str(inside / ".s.PGSQL.5432")) <= MAX_SOCKET_PATH:
            return inside
        name = f"telltale-{os.getuid()}-{_digest(self.root)}"
        return Path(tempfile.gettempdir()) / name

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    def lock(self, name: str) -> Path:
        return self.root / f"{name}.lock"

    def key(self, name: str) -> str:
        """A secret, created on first use and readable only by its owner."""
        path = self.root / "keys" / name
        if not path.exists():
            _write_once(path, secrets.token_urlsafe(48))
        return path.read_text()


def current_home() -> Home:
    path = os.environ.get("TELLTALE_HOME")
    return Home(Path(path).expanduser().resolve() if path else _default_root())


def servers_are_embedded() -> bool:
    """Whether we run our own servers, because the environment names none."""
    return not (os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL"))


def server_account() -> pwd.struct_passwd:
    """The account that Postgres runs as: it refuses to run as root, so for root it is nobody."""
    return pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())


def make_home(home: Home) -> None:
    """Create the folders, each open only to the account that works in it."""
    account = server_account()
    home.root.mkdir(parents=True, exist_ok=True)
    home.root.chmod(0o711 if os.getuid() == 0 else 0o700)
    _refuse_unreachable(home.root)
    for folder in (home.logs, home.valkey):
        _own_folder(folder, os.getuid(), os.getgid())
    for folder in (home.postgres, home.sockets):
        _own_folder(folder, account.pw_uid, account.pw_gid)


def others_may_enter(folder: Path) -> bool:
    existing = [parent for parent in (folder, *folder.parents) if parent.exists()]
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in existing)


def _default_root() -> Path:
    """Next to the code, unless we are root and Postgres cannot enter that folder."""
    if os.getuid() == 0 and not others_may_enter(PROJECT):
        return Path("/var/lib/telltale") / _digest(PROJECT)
    return PROJECT / ".telltale"


def _refuse_unreachable(root: Path) -> None:
    if os.getuid() == 0 and not others_may_enter(root):
        raise HomeUnreachable(
            f"Postgres does not run as root, and the account it runs as (nobody) cannot enter {root}. "
            "Set TELLTALE_HOME to a folder outside private homes, for example /var/lib/telltale."
        )


def _own_folder(folder: Path, uid: int, gid: int) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    if os.getuid() == 0:
        os.chown(folder, uid, gid)
    elif folder.stat().st_uid != uid:
        raise HomeUnreachable(f"{folder} belongs to another user. Remove it, or set TELLTALE_HOME to another folder.")


def _digest(path: Path) -> str:
    return hashlib.sha256(str(path).encode()).hexdigest()[:12]


def _write_once(path: Path, text: str) -> None:
    """Write the file unless it exists. Two processes that try at once end up with the same, complete file."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    draft.touch(mode=0o600)
    draft.write_text(text)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
