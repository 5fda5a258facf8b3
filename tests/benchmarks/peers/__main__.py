"""The race between labelling tools, on this machine: Telltale, Label Studio, Potato, and a page in Gradio.

.venv/bin/python -m tests.benchmarks.peers --folder SCRATCH --with CHECKOUT --check

Rounds alternate: each tool from an empty data folder to an export, then the same backwards. Results are appended to
SCRATCH/results.jsonl; the same command continues a stopped race, and --table prints what is there.
"""

import argparse
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Error

from tests.benchmarks.peers.clients import Refused
from tests.benchmarks.peers.goals import goals
from tests.benchmarks.peers.install import PROJECT, has_changes, say
from tests.benchmarks.peers.results import Race, Results
from tests.benchmarks.peers.round import Round
from tests.benchmarks.peers.servers import ServerEnded
from tests.benchmarks.peers.table import table
from tests.benchmarks.peers.tools.base import Tool
from tests.benchmarks.peers.tools.gradio import Gradio
from tests.benchmarks.peers.tools.label_studio import LabelStudio
from tests.benchmarks.peers.tools.potato import Potato
from tests.benchmarks.peers.tools.telltale import Telltale
from tests.benchmarks.peers.workload import Profile, load_workload
from tests.benchmarks.table import exit_if_missed, print_bars

TOOLS: dict[str, type[Tool]] = {
    "telltale": Telltale, "label_studio": LabelStudio, "potato": Potato, "gradio": Gradio,
}  # fmt: skip
FAILURES = (ServerEnded, Refused, TimeoutError, AssertionError, KeyError, Error, OSError, subprocess.CalledProcessError)


def main() -> None:
    options = _options()
    folder: Path = options.folder.resolve()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))  # so that servers are stopped, too
    (folder / "tools").mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)  # as root, Postgres runs as another account
    results = Results(folder / "results.jsonl")
    if options.fresh and results.file.exists():
        results.file.rename(folder / f"results-{time.strftime('%Y%m%d-%H%M%S')}.jsonl")
    if not options.table:
        _run(options, folder, results)
    _report(results, check=options.check)


def _run(options: argparse.Namespace, folder: Path, results: Results) -> None:
    tools = _tools(options, folder, load_workload(folder / "workload.jsonl", options.texts))
    for tool in tools:
        tool.install()
    if options.install:
        sys.exit(0)
    results.begin_race(Race([tool.entrant for tool in tools], machine()))
    for number in range(1, options.rounds + 1):
        for tool in tools[:: 1 if number % 2 else -1]:
            if not results.is_complete(tool.entrant.key, number):
                _round(tool, number, results, options.seconds)


def _round(tool: Tool, number: int, results: Results, seconds: float) -> None:
    """A tool that fails doesn't stop the others."""
    began = time.monotonic()
    try:
        Round(tool, number, results, seconds).run()
    except FAILURES as error:
        results.fail(tool.entrant.key, number, f"{type(error).__name__}: {error}"[:500])
        say(f"{tool.entrant.name}, round {number}, failed: {error}\nIts log: {tool.log}")
    say(f"{tool.entrant.name}, round {number}: {time.monotonic() - began:.0f} s")


def _tools(options: argparse.Namespace, folder: Path, workload: Sequence[Profile]) -> list[Tool]:
    tools = [TOOLS[name](folder, workload) for name in options.tools.split(",")]
    others: list[Tool] = [Telltale(folder, workload, checkout=path.resolve()) for path in options.others]
    if has_changes(PROJECT):
        say("This checkout has changes that aren't committed; the race runs what is committed.")
    return [*tools[:1], *others, *tools[1:]]


def _report(results: Results, *, check: bool) -> None:
    race = results.last_race()
    if race is None:
        sys.exit("There are no results yet.")
    figures = {entrant: results.figures(entrant.key) for entrant in race.entrants}
    failures = [f"{entrant.name}: {text}" for entrant in race.entrants for text in results.failures(entrant.key)]
    print(table(race, figures, failures))
    bars = goals(figures)
    print()
    print_bars(bars, kind="goal", width=88)
    if check:
        exit_if_missed(bars)
    if failures:
        sys.exit(1)


def machine() -> dict[str, str]:
    cores = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": cores[0].partition(":")[2].strip() if cores else platform.machine(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GB",
        "system": f"Linux {platform.release()}",
        "python": platform.python_version(),
        "date": time.strftime("%-d %B %Y"),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.peers", description="A race of labelling tools")
    parser.add_argument("--folder", type=Path, required=True, help="scratch folder: tools, data, results")
    parser.add_argument("--with", dest="others", type=Path, action="append", default=[], metavar="CHECKOUT",
                        help="another checkout of Telltale, at the commit it has; can be repeated")  # fmt: skip
    parser.add_argument("--tools", default=",".join(TOOLS), help="separated by commas [all]")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10, help="of each phase with eight clients [10]")
    parser.add_argument("--texts", type=Path, help="comments for the workload, one per line [the demo study's]")
    parser.add_argument("--install", action="store_true", help="only install what is missing")
    parser.add_argument("--fresh", action="store_true", help="set earlier results aside")
    parser.add_argument("--table", action="store_true", help="run nothing, print what has been measured")
    parser.add_argument("--check", action="store_true", help="exit 1 where Telltale misses a goal")
    options = parser.parse_args()
    if unknown := set(options.tools.split(",")) - set(TOOLS):
        parser.error(f"no such tool: {', '.join(sorted(unknown))}. Choose from {', '.join(TOOLS)}.")
    return options


if __name__ == "__main__":
    main()
