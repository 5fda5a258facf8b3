"""The memory of a command and all its descendants, as counted by the kernel."""

import subprocess
import time
from pathlib import Path


def peak_of(command: list[str]) -> tuple[float, float]:
    """Run the command. Return its peak megabytes, with shared pages counted once, and its seconds."""
    began, peak = time.perf_counter(), 0.0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        peak = max(peak, sum(megabytes(pid) for pid in family(process.pid)))
        time.sleep(0.1)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return peak, time.perf_counter() - began


def family(pid: int) -> list[int]:
    """The process and all its descendants, whichever thread started them."""
    try:
        children = " ".join(file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/children")).split()
    except OSError:
        return []
    return [pid, *(one for child in children for one in family(int(child)))]


def megabytes(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("Pss:")), 0.0)
