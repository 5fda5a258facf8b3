"""This checkout against others: CPU of a labelling cycle by process, cycles a second, and the same beside detection.

python -m tests.benchmarks.labelling_compare --with /path/to/other/checkout --check
A cycle is what the page sends for one profile: the next one prefetched, three cards saved, submitted. The checkouts
take turns, so that other work on the machine affects all of them; each has its own packages (`. bin/_install test`),
its own servers and the same study. Postgres is temporary: it does not wait for the disk.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.labelling_load import Seat, whole_forms
from tests.benchmarks.table import Bar

HERE = Path(__file__).resolve().parents[2]
SITE = Path(__file__).with_name("labelling_site.py")
THROWAWAY = ("annotator/embedded/throwaway.py", "annotator/running/throwaway.py")
OPENED, LOOP = 40, 3_000_000
TICKS = os.sysconf("SC_CLK_TCK")
WARM_UP = 2.0  # seconds
DETECTION_STARTS_WITHIN = 120.0  # seconds, with the model still to be loaded


@dataclass(slots=True)
class Phase:
    """Eight clients for some seconds."""

    cycles: int
    seconds: float
    cpu: dict[str, float]  # seconds by process

    @property
    def rate(self) -> float:
        return self.cycles / self.seconds

    def cpu_per_cycle(self, *names: str) -> float:
        """Milliseconds of the site's own processes. Workers have work of their own."""
        return sum(self.cpu[name] for name in names or SITE_PROCESSES) / self.cycles * 1000


SITE_PROCESSES = ("gunicorn", "postgres", "valkey")


@dataclass(slots=True)
class Checkout:
    """One of the compared checkouts: its site, and what was measured of it."""

    path: Path
    process: "subprocess.Popen[str]"
    port: int = 0
    pids: dict[str, int] = field(default_factory=dict)
    idle: list[Phase] = field(default_factory=list)
    busy: list[Phase] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)  # milliseconds
    opened_cpu: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def wait(self) -> None:
        said = self._read()
        self.port, self.pids = said["port"], said["pids"]

    def ask(self, command: str) -> Any:
        assert self.process.stdin
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        return self._read()["result"]

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith("{"):
                said: dict[str, Any] = json.loads(line)
                return said
        sys.exit(f"{self.path}: the site ended with {self.process.wait()}")

    def cpu(self) -> dict[str, float]:
        return {name: cpu_of_tree(pid) for name, pid in self.pids.items()}

    def seats(self) -> list[Seat]:
        return [Seat(self.port, cookies, at) for at, cookies in self.ask("seats")]


def main() -> None:
    asked = _asked()
    with ExitStack() as stack:
        paths = [HERE, *(Path(other).resolve() for other in asked.others)]
        checkouts = [Checkout(path, stack.enter_context(_site(path))) for path in paths]
        for checkout in checkouts:
            checkout.wait()
        for number in range(asked.rounds):
            for checkout in checkouts[:: 1 if number % 2 == 0 else -1]:
                _round(checkout, asked.seconds, detection=not asked.idle_only)
        for checkout in checkouts:
            assert checkout.process.stdin
            checkout.process.stdin.close()
    _report(checkouts, check=asked.check)


def _site(path: Path) -> "subprocess.Popen[str]":
    throwaway = next(name for name in THROWAWAY if (path / name).exists())
    module, python = throwaway.removesuffix(".py").replace("/", "."), str(path / ".venv" / "bin" / "python")
    return subprocess.Popen(
        [python, "-m", module, python, str(SITE)], cwd=path, env=os.environ | {"PYTHONPATH": str(path)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


# ── Measuring ────────────────────────────────────────────────────────────────
def _round(checkout: Checkout, seconds: float, *, detection: bool) -> None:
    loop = calibration()
    seats = checkout.seats()
    whole_forms(seats, WARM_UP)
    _open_next(checkout, seats[0])
    checkout.idle.append(_phase(checkout, seats, seconds))
    line = f"{checkout.path.name:<12} loop {loop:.3f} s, load {os.getloadavg()[0]:.1f}: {_told(checkout.idle[-1])}"
    if detection:
        checkout.ask("detect")
        _wait_for_worker(checkout)
        checkout.busy.append(_phase(checkout, seats, seconds))
        checkout.ask("rest")
        _wait_for_worker(checkout, busy=False)
        line += f"; beside detection {_told(checkout.busy[-1])}"
    print(line, flush=True)
    checkout.errors += [error for seat in seats for error in seat.errors]


def _told(phase: Phase) -> str:
    return f"{phase.rate:.1f} cycles/s, {phase.cpu_per_cycle():.1f} ms of CPU each"


def _open_next(checkout: Checkout, seat: Seat) -> None:
    for _ in range(4):
        seat.prepare()
    seat.seconds.clear()
    before = sum(checkout.cpu()[name] for name in SITE_PROCESSES)
    for _ in range(OPENED):
        seat.prepare()
    spent = sum(checkout.cpu()[name] for name in SITE_PROCESSES) - before
    checkout.opened.append(median(seat.seconds["next"]) * 1000)
    checkout.opened_cpu.append(spent / OPENED * 1000)


def _phase(checkout: Checkout, seats: Sequence[Seat], seconds: float) -> Phase:
    cycles, before, began = _cycles(seats), checkout.cpu(), time.monotonic()
    whole_forms(list(seats), seconds)
    taken, after = time.monotonic() - began, checkout.cpu()
    return Phase(_cycles(seats) - cycles, taken, {name: after[name] - before[name] for name in after})


def _cycles(seats: Sequence[Seat]) -> int:
    return sum(len(seat.sealed) for seat in seats)


def _wait_for_worker(checkout: Checkout, *, busy: bool = True) -> None:
    """Wait until the worker uses more than half a core, or none."""
    until = time.monotonic() + DETECTION_STARTS_WITHIN
    while time.monotonic() < until:
        before = cpu_of_tree(checkout.pids["worker"])
        time.sleep(1)
        share = cpu_of_tree(checkout.pids["worker"]) - before
        if share > 0.5 if busy else share < 0.1:
            return
    sys.exit(f"{checkout.path}: detection did not {'start' if busy else 'stop'}")


def cpu_of_tree(pid: int) -> float:
    """Seconds of CPU of a process, its descendants, and those of them that ended."""
    try:
        spent = sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[11:15])) / TICKS
        children = [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:
        return 0.0
    return spent + sum(map(cpu_of_tree, children))


def calibration() -> float:
    """Seconds for a fixed loop, to tell a slow checkout from a slow moment."""
    began, total = time.perf_counter(), 0
    for number in range(LOOP):
        total += number
    return time.perf_counter() - began


# ── Reporting ────────────────────────────────────────────────────────────────
def _report(checkouts: Sequence[Checkout], *, check: bool) -> None:
    print(f"\nPython {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; medians\n")
    rows = [_figures(checkout) for checkout in checkouts]
    print(f"  {'':<44}" + "".join(f"{checkout.path.name:>14}" for checkout in checkouts))
    for what in rows[0]:
        print(f"  {what:<44}" + "".join(f"{row[what]:>14.1f}" for row in rows))
    bars = [bar for other in checkouts[1:] for bar in _bars(checkouts[0], other)]
    bars.append(Bar("errors", sum(len(checkout.errors) for checkout in checkouts), at_most=0))
    print()
    for bar in bars:
        wanted = f"≥ {bar.at_least}" if bar.at_least is not None else f"≤ {bar.at_most}"
        print(f"  {bar.what:<60} {bar.ratio:>8.2f}  (bar {wanted})  {'met' if bar.met else 'MISSED'}")
    for checkout in checkouts:
        print(*(f"  {checkout.path.name}: {error}" for error in checkout.errors[:3]), sep="\n")
    if check and not all(bar.met for bar in bars):
        sys.exit(1)


def _figures(checkout: Checkout) -> dict[str, float]:
    def middle(of: list[Phase], *names: str) -> float:
        return median(phase.cpu_per_cycle(*names) for phase in of)

    figures = {"CPU per cycle, ms": middle(checkout.idle)}
    figures |= {f"  of it {name}": middle(checkout.idle, name) for name in SITE_PROCESSES}
    figures |= {
        "cycles a second, 8 clients": median(phase.rate for phase in checkout.idle),
        "open the next profile, p50, ms": median(checkout.opened),
        "  CPU of it, ms": median(checkout.opened_cpu),
    }
    if checkout.busy:
        figures["beside detection: cycles a second"] = median(phase.rate for phase in checkout.busy)
        figures["  share of idle, %"] = _kept(checkout) * 100
    return figures


def _kept(checkout: Checkout) -> float:
    return float(median(busy.rate / idle.rate for idle, busy in zip(checkout.idle, checkout.busy, strict=True)))


def _bars(ours: Checkout, other: Checkout) -> list[Bar]:
    name, mine, theirs = other.path.name, _figures(ours), _figures(other)
    cpu, rate, opened = "CPU per cycle, ms", "cycles a second, 8 clients", "open the next profile, p50, ms"
    bars = [
        Bar(f"CPU per cycle compared with {name}", mine[cpu] / theirs[cpu], at_most=1),
        Bar(f"cycles a second compared with {name}", mine[rate] / theirs[rate], at_least=1),
        Bar(f"opening the next profile compared with {name}", mine[opened] / theirs[opened], at_most=1),
    ]
    return [*bars, *([Bar("share of idle kept beside detection", _kept(ours), at_least=0.9)] if ours.busy else [])]


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The labelling page of several checkouts")
    parser.add_argument("--with", dest="others", action="append", default=[], help="path of another checkout")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8, help="of each phase")
    parser.add_argument("--idle-only", action="store_true", help="leave out detection")
    parser.add_argument("--check", action="store_true", help="exit 1 where a bar is missed")
    return parser.parse_args()


if __name__ == "__main__":
    main()
