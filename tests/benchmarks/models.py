"""The model client against a local endpoint with 50 ms of latency: throughput, memory, resuming; then the scores.

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.models --check

TELLTALE_BENCHMARK_CALLS makes it shorter than the 20,000 calls that count.
"""

import asyncio
import json
import multiprocessing
import os
import random
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
JUDGEMENTS = 10_000
VALUES = {
    "location": ["houston / texas / united states", "dallas / texas / united states", "paris / france", "berlin"],
    "sex": ["male", "female", "other", "none"],
    "age": ["25", "31", "28-34", "60"],
    "occupation": ["nurse", "registered nurse", "software engineer", "teacher", "student"],
    "place_of_birth": ["leeds / england / united kingdom", "toronto / canada", "united states", "mumbai"],
    "marital_status": ["single", "married", "divorced", "in relation"],
    "income": ["low", "medium", "high", "very high"],
    "education": ["hs", "college degree", "masters", "phd", "in college"],
}
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


def ask_models() -> tuple[list[Row], list[Bar]]:
    """Ask some of the questions, stop, and ask all of them."""
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
    bars = [
        Bar("share of the ideal throughput", ideal / first, at_least=0.9),
        Bar("milliseconds of CPU for a call", first_cpu / done * 1000, at_most=0.6),
        Bar("megabytes gained after the first tenth", grown, at_most=20),
        Bar("answers after resuming, of all", resumed / CALLS, at_least=1),
        # What was on its way when it was stopped can't be known, and is asked again.
        Bar("calls beyond one each", max(calls.value - CALLS, 0), at_most=CONCURRENCY),
        Bar("calls after resuming, of those left", (calls.value - before) / (CALLS - done), at_most=1),
    ]
    return [Row(f"{done:,} calls, {CONCURRENCY} at once", first, done, first_cpu)], bars


def score_guesses() -> tuple[list[Row], list[Bar]]:
    """All scores of a report with intervals, for as many judgements as a large study has."""
    from evaluation.inference.report import build_report
    from evaluation.inference.settings import Settings

    file, settings = _guesses(), Settings(bootstrap=1000)
    began, cpu = time.perf_counter(), time.process_time()
    report = build_report([file], settings)
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    assert report["sound"]["n"] == JUDGEMENTS, report["sound"]["n"]
    rows = [Row(f"scores of {JUDGEMENTS:,} judgements, 1,000 resamples", seconds, JUDGEMENTS, used)]
    return rows, [Bar("seconds for all scores", seconds, at_most=10)]


def _guesses() -> Any:
    """Labels of every attribute and hardness, with right, near, wrong and missing guesses."""
    from evaluation.inference.records import Case, Label, Prediction, PredictionFile

    rng, cases = random.Random(1), []  # noqa: S311 always the same
    for number in range(JUDGEMENTS):
        attribute, values = list(VALUES.items())[number % len(VALUES)]
        label = Label(rng.choice(values), rng.randint(1, 5), rng.randint(3, 5), required_subreddit=rng.random() < 0.2)
        guesses = tuple(rng.sample(values, 3)) if rng.random() < 0.9 else ()
        cases.append(
            Case(f"profile-{number // len(VALUES)}", attribute, label, Prediction(guesses) if guesses else None)
        )
    return PredictionFile(tuple(cases), "benchmark", "consensus", "llmprivacy", "0" * 64)


def main() -> None:
    set_up()
    rows, bars = ask_models()
    more_rows, more_bars = score_guesses()
    report("Model client, and scores of its guesses", rows + more_rows, bars + more_bars)


if __name__ == "__main__":
    main()
