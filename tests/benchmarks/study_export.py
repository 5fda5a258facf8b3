"""Export the benchmark's study: records per second, memory, and how the time grows.

A record is a judgement or a gold record. Each export runs in its own process, so that its memory can be measured.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.study_gold_build import cpu_seconds
from tests.benchmarks.table import Bar, set_up

LEAST, MOST_MEGABYTES, MOST_GROWTH = 5_000, 300, 1.1
FORMATS = ("native", "llmprivacy", "csv")
TIMES = 3


def measure_export(bench: Any) -> None:
    """`bench` has two studies, small and large. Build gold first, as for every export."""
    from annotator.exchange.export.job import build_gold_first

    for study in (bench.small, bench.large):
        build_gold_first(study.corpus)
    print("\nExport without texts, in a process of its own")
    for written in FORMATS:
        small, large = (_run_apart(study.corpus.pk, written) for study in (bench.small, bench.large))
        for size, run in (("small", small), ("large", large)):
            rate = f"{run['records'] / run['seconds']:>10,.0f} records/s {run['megabytes']:>6,.0f} MB"
            print(f"  {written:<12} {size:<6} {run['records']:>9,} records {run['seconds']:>7.2f} s {rate}")
        if written == "native":
            bench.bars += _bars(small, large)


def _bars(small: dict[str, float], large: dict[str, float]) -> list[Bar]:
    cost_small, cost_large = (run["cpu"] / run["records"] for run in (small, large))
    return [
        Bar("export, records a second", large["records"] / large["seconds"], at_least=LEAST),
        Bar("export, megabytes at the highest moment", large["megabytes"], at_most=MOST_MEGABYTES),
        Bar("export, CPU per record, large to small", cost_large / cost_small, at_most=MOST_GROWTH),
    ]


def _run_apart(corpus: int, written: str) -> dict[str, float]:
    """The time of the fastest run, since noise only ever adds, and the highest memory of all."""
    command = [sys.executable, "-m", "tests.benchmarks.study_export", str(corpus), written]
    runs = [json.loads(subprocess.check_output(command).splitlines()[-1]) for _ in range(TIMES)]
    return min(runs, key=lambda run: run["seconds"]) | {"megabytes": max(run["megabytes"] for run in runs)}


def main(corpus_id: str, written: str) -> None:
    from tempfile import TemporaryDirectory

    from annotator.exchange.export.options import ExportOptions
    from annotator.exchange.export.writer import write_export
    from annotator.models import Format
    from profiles.models import Corpus

    corpus = Corpus.objects.get(pk=corpus_id)
    with TemporaryDirectory() as folder:
        began, cpu = time.perf_counter(), cpu_seconds()
        made = write_export(corpus, ExportOptions(format=Format(written)), Path(folder) / "out")
        seconds, cpu = time.perf_counter() - began, cpu_seconds() - cpu
    megabytes = _highest()
    records = made.counts["judgements"] + made.counts["gold"]
    print(json.dumps({"records": records, "seconds": seconds, "cpu": cpu, "megabytes": megabytes}))


def _highest() -> float:
    """Peak megabytes of this program alone: `getrusage` would include its parent's from before it started."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM"))


if __name__ == "__main__":
    set_up()
    main(*sys.argv[1:])
