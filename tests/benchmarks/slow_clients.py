"""How long a normal request takes beside clients that send slowly, stop reading or never say goodbye.

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.slow_clients
With --worker-class gthread, as it was before. --normal measures requests alone, in turn with gthread.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from annotator.embedded.home import PROJECT, current_home
from annotator.embedded.process import start, stop
from annotator.embedded.supervisor import port_is_free
from tests.annotator.config.slow_clients import KINDS, latencies, percentile, slow_clients
from tests.annotator.embedded.installation import fetch, free_port, wait_until
from tests.benchmarks.table import set_up

OURS = "annotator.config.web_worker.BufferingWorker"
COUNTS = (8, 24, 100, 500)
PAGE = "/account/login/"


@contextmanager
def web(worker_class: str = OURS) -> Iterator[int]:
    """gunicorn as `bin/up` starts it."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", "python:annotator.config.gunicorn"]
    options = ["--bind", f"127.0.0.1:{port}", "--worker-class", worker_class]
    process = start([*command, *options], log=current_home().logs / "web.log", cwd=PROJECT)
    try:
        wait_until(lambda: fetch(port, PAGE) == 200 or process.poll() is not None)
        yield port
    finally:
        stop(process)
        assert port_is_free("127.0.0.1", port)


def row(port: int, kind: str, count: int) -> str:
    values: list[float] = []
    with slow_clients(port, count, kind), suppress(OSError):
        values = latencies(port, PAGE, count=50)
    if not values:
        return f"{kind:<12}{count:>6}   no answer within 30 s"
    p50, p99 = (1000 * percentile(values, share) for share in (0.5, 0.99))
    return f"{kind:<12}{count:>6}{p50:>9.1f} ms{p99:>9.1f} ms"


def print_table(worker_class: str, kinds: list[str]) -> None:
    print(f"{worker_class}\n{'slow':<12}{'count':>6}{'p50':>12}{'p99':>12}")
    for kind in kinds:
        with web(worker_class) as port:  # a new one, so that a stopped site does not spoil the next kind
            latencies(port, PAGE, count=20)
            for count in (0, *COUNTS):
                line = row(port, kind, count)
                print(line, flush=True)
                if "no answer" in line:
                    break


def compare_normal(rounds: int) -> None:
    """Normal requests, each server in turn, so that a busy machine is busy for both."""
    with web("gthread") as before, web(OURS) as after:
        for path in (PAGE, "/healthz"):
            samples: dict[str, list[float]] = {"gthread": [], "ours": []}
            for _ in range(rounds):
                samples["gthread"].extend(latencies(before, path, count=5, pause=0))
                samples["ours"].extend(latencies(after, path, count=5, pause=0))
            for name, values in samples.items():
                p50, p95 = (1000 * percentile(sorted(values), share) for share in (0.5, 0.95))
                print(f"{path:<18}{name:<10}p50 {p50:.2f} ms, p95 {p95:.2f} ms", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--worker-class", default=OURS)
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--normal", type=int, default=0, metavar="ROUNDS")
    options = parser.parse_args()
    set_up()
    subprocess.run([sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"], cwd=PROJECT, check=True)
    if options.normal:
        compare_normal(options.normal)
    else:
        print_table(options.worker_class, options.kind or [kind for kind in KINDS if kind != "reader"])


if __name__ == "__main__":
    main()
