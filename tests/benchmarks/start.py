"""What an installation costs: its starts, two commands, its memory and its size, compared with another checkout.

.venv/bin/python -m tests.benchmarks.start --against /path/to/another/checkout --rounds 2 --check

Both checkouts need their own installed packages (bin/manage help). Rounds alternate. A loop of Python runs before each,
because it tells a slow checkout from a slow moment of the machine.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.benchmarks.demo_visitors import read_pages
from tests.benchmarks.memory import family, megabytes
from tests.benchmarks.table import Bar, Row, report

HERE = Path(__file__).resolve().parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
QUIET_SECONDS, PATIENCE = 25.0, 900.0  # longer than a worker keeps what it may need again
IDLE_SECONDS = 70.0  # then nothing is kept any longer only because it was needed a moment ago
EXPORT = ["export_gold", "--corpus", "Demo study", "--out"]
Figures = dict[str, tuple[float, float]]  # by what was done: seconds, and seconds of CPU


def main() -> None:
    asked = _asked()
    checkouts = {"this": HERE, "other": asked.against.resolve()}
    rounds: dict[str, list[Figures]] = {name: [] for name in checkouts}
    for _ in range(asked.rounds):
        for name, checkout in checkouts.items():
            print(f"a loop of Python takes {_loop():.2f} s; now {name} ({checkout})", file=sys.stderr)
            rounds[name].append(measure(checkout))
    best = {name: {what: min(r[what] for r in taken) for what in taken[0]} for name, taken in rounds.items()}
    rows = [
        Row(f"{what}, {name}", seconds, 1, cpu)
        for what in best["this"]
        for name, (seconds, cpu) in ((name, best[name][what]) for name in checkouts)
    ]
    cpu = {what: best["this"][what][1] / best["other"][what][1] for what in best["this"]}
    bars = [
        Bar("CPU of a first start", cpu["first start"], at_most=0.6),
        Bar("CPU of a later start", cpu["later start"], at_most=0.9),
        Bar("memory after detection, PSS (in the columns for seconds: MB)", cpu["memory"], at_most=0.6),
        Bar("memory after pages and an export, too", cpu["memory afterwards"], at_most=0.6),
        Bar("installed size (in the columns for seconds: MB)", cpu["size"], at_most=0.9),
    ]
    report("What an installation costs", rows, bars)


def measure(checkout: Path) -> Figures:
    with tempfile.TemporaryDirectory(prefix="tt-") as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another account
        home, figures = Path(folder) / "home", {"help": _command(checkout, Path(folder), "help")}
        with running(checkout, home) as (pid, port, figures["first start"]):
            _settle(pid)  # Presidio reads the demo study, and its evaluations are made
            figures["memory"] = _memory(pid)
            read_pages(port)
            figures["export"] = _command(checkout, home, *EXPORT, f"{folder}/gold.jsonl")
            time.sleep(IDLE_SECONDS)
            figures["memory afterwards"] = _memory(pid)
        with running(checkout, home) as (_, _, figures["later start"]):
            pass
        size = float(subprocess.run(["du", "-smc", ".venv", ".boot"], cwd=checkout, capture_output=True, text=True,
                                    check=True).stdout.split("\n")[-2].split()[0])  # fmt: skip
        return figures | {"size": (size, size)}


@contextmanager
def running(checkout: Path, home: Path) -> Iterator[tuple[int, int, tuple[float, float]]]:
    """Start everything. Give the process, its port, and the seconds and CPU until it says that it is ready."""
    port = free_port()
    command = [".venv/bin/python", "manage.py", "up", "--port", str(port)]
    with tempfile.TemporaryFile("w+") as said:
        began = time.monotonic()
        process = subprocess.Popen(command, cwd=checkout, env=clean_env(home) | {"PYTHONUNBUFFERED": "1"}, stdout=said)
        try:
            while "is ready" not in _text(said):
                assert process.poll() is None, _text(said)
                time.sleep(0.05)
            yield process.pid, port, (time.monotonic() - began, _cpu(process.pid))
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def _memory(pid: int) -> tuple[float, float]:
    total = sum(map(megabytes, family(pid)))
    return total, total


def _text(file: IO[str]) -> str:
    return os.pread(file.fileno(), 100_000, 0).decode()


def _settle(pid: int) -> None:
    """Wait until nothing happens by itself any more."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        before = _cpu(pid)
        time.sleep(QUIET_SECONDS)
        if _cpu(pid) - before < 0.2:
            return


def _command(checkout: Path, home: Path, *words: str) -> tuple[float, float]:
    began, before = time.monotonic(), os.times()
    command = [".venv/bin/python", "manage.py", *words]
    subprocess.run(command, cwd=checkout, env=clean_env(home), stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - began, used


def _cpu(pid: int) -> float:
    """Seconds of CPU of the process, its descendants, and their children that have ended."""
    total = 0
    for one in family(pid):
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / TICKS


def clean_env(home: Path) -> dict[str, str]:
    dropped = ("DATABASE_URL", "REDIS_URL", "PYTHONDONTWRITEBYTECODE", "DJANGO_SETTINGS_MODULE", "PYTHONPATH")
    return {k: v for k, v in os.environ.items() if k not in dropped} | {"TELLTALE_HOME": str(home)}


def _loop() -> float:
    began = time.perf_counter()
    sum(number * number % 7 for number in range(5_000_000))
    return time.perf_counter() - began


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--against", type=Path, required=True, help="another checkout, with its packages installed")
    parser.add_argument("--rounds", type=int, default=2)
    asked, rest = parser.parse_known_args()
    sys.argv = [sys.argv[0], *rest]
    return asked


if __name__ == "__main__":
    main()
