"""Run a command with its own servers, which are removed afterwards.

`python -m annotator.embedded.throwaway COMMAND …`
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from annotator.embedded.home import Home
from annotator.embedded.servers import hold_servers


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    root = Path(tempfile.mkdtemp(prefix="telltale-"))
    try:
        with hold_servers(Home(root), throwaway=True):
            return subprocess.run(sys.argv[1:], env=_env(root), check=False).returncode
    except KeyboardInterrupt:
        return 130
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _env(root: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return kept | {"TELLTALE_HOME": str(root)}


if __name__ == "__main__":
    sys.exit(main())
