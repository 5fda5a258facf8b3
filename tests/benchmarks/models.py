"""The model client against a local endpoint with 50 ms of latency: throughput, memory, and resuming.

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.models --check

TELLTALE_BENCHMARK_CALLS makes it shorter than the 20,000 calls that count.
"""

import asyncio
import json
import multiprocessing
import os
import time
from collections.abc import Iterator
from itertools import islice
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.benchmarks.table import Bar, Row, report, set_up

CALLS = int(os.environ.get("TELLTALE_BENCHMARK_CALLS", "20000"))
CONCURRENCY, LATENCY = 64, 0.05
USAGE = {"prompt_tokens": 380, "completion_tokens": 100}
BODY = json.dumps({"choices": [{"message": {"content": "x" * 400}, "finish_reason": "stop"}], "usage": USAGE}).encode()
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(BODY), BODY)


class Chat(asyncio.Protocol):
    """As little of HTTP as the client needs, so that the server costs next to nothing."""

    def __init__(self, calls: "Synchronized[int]") -> None:
        self.calls, self.received = calls, b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        head, separator, body = self.received.partition(b"\r\n\r\n")
        if separator and len(body) >= int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]):
            self.received = b""
            self.calls.value += 1
            asyncio.get_running_loop().call_later(LATENCY, self.transport.write, RESPONSE)


def serve(port: "Synchronized[int]", calls: "Synchronized[int]") -> None:
    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(lambda: Chat(calls), "127.0.0.1", 0)
        port.value = server.sockets[0].getsockname()[1]
        await server.serve_forever()

    asyncio.run(run())


def questions(name: str, count: int) -> Iterator[tuple[str, Any]]:
    from evaluation.llm.requests import ChatRequest

    for number in range(count):
        yield str(number), ChatRequest((("user", f"{name} {number} " + "word " * 300),))


def megabytes() -> float:
    """What this process holds now."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1000 for line in lines if line.startswith("VmRSS:"))


def main() -> None:
    set_up()
    from evaluation.llm.attempts import AttemptStore
    from evaluation.llm.budget import Budget
    from evaluation.llm.client import ModelClient
    from evaluation.llm.endpoints import Endpoint

    context = multiprocessing.get_context("spawn")
    port, calls = context.Value("i", 0), context.Value("q", 0)
    server = context.Process(target=serve, args=(port, calls), daemon=True)
    server.start()
    while not port.value:
        time.sleep(0.05)
    endpoint = Endpoint(f"http://127.0.0.1:{port.value}/v1", "benchmark", concurrency=CONCURRENCY)
    name = uuid4().hex

    def ask() -> Iterator[Any]:
        store = AttemptStore(endpoint.base_url, endpoint.model)
        return ModelClient(endpoint).ask_all(
            questions(name, CALLS), attempts=store, budget=Budget(), tell=lambda standing: None
        )

    answers = ask()
    began, cpu = time.perf_counter(), time.process_time()
    list(islice(answers, CALLS // 10))
    early = megabytes()
    for _ in islice(answers, CALLS // 2):
        pass
    first = time.perf_counter() - began
    first_cpu, grown = time.process_time() - cpu, megabytes() - early
    answers.close()
    time.sleep(2 * LATENCY)
    before, done = calls.value, CALLS // 10 + CALLS // 2
    resumed = sum(1 for _ in ask())
    server.terminate()
    server.join()
    ideal = done / (CONCURRENCY / LATENCY)
    rows = [Row(f"{done:,} calls, {CONCURRENCY} at once", first, done, first_cpu)]
    bars = [
        Bar("share of the ideal throughput", ideal / first, at_least=0.9),
        Bar("megabytes gained after the first tenth", grown, at_most=20),
        Bar("answers after resuming, of all", resumed / CALLS, at_least=1),
        # What was on its way when it was stopped can't be known, and is asked again.
        Bar("calls beyond one each", max(calls.value - CALLS, 0), at_most=CONCURRENCY),
        Bar("calls after resuming, of those left", (calls.value - before) / (CALLS - done), at_most=1),
    ]
    report("Model client", rows, bars)


if __name__ == "__main__":
    main()
