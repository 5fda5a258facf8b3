"""Run a command with its own servers, which are removed afterwards.

`python -m annotator.embedded.throwaway COMMAND …`
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from annotator.embedded.home import Home
from annotator.embedded.servers import hold_servers


def main() -> int:
    with throwaway_home() as home:
        return run_with_servers(home, sys.argv[1:])


@contextlib.contextmanager
def throwaway_home() -> Iterator[Home]:
    """A home that is removed at the end, also after SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    root = Path(tempfile.mkdtemp(prefix="telltale-"))
    try:
        yield Home(root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def run_with_servers(home: Home, command: Sequence[str]) -> int:
    """Run the command while the servers of this home run, and return its exit code."""
    try:
        with hold_servers(home, throwaway=True):
            return subprocess.run(command, env=_env(home), check=False).returncode
    except KeyboardInterrupt:
        return 130


def _env(home: Home) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return kept | {"TELLTALE_HOME": str(home.root)}


if __name__ == "__main__":
    sys.exit(main())
