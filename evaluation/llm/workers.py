"""Threads that ask an endpoint. They touch neither the database nor the caller's state."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from evaluation.llm.connection import Connection
from evaluation.llm.endpoints import Endpoint
from evaluation.llm.pace import Pace
from evaluation.llm.requests import ChatAnswer, ChatRequest, Problem, failure

AHEAD = 4  # times `concurrency`
LINGER = 0.02  # seconds in which more answers arrive, so that they are kept together


@dataclass(frozen=True, slots=True)
class Question:
    """A request with the caller's key."""

    key: str
    digest: str
    request: ChatRequest


@dataclass(slots=True)
class WorkerPool:
    """Requests in, answers out. At most `concurrency` are on their way, and three times as many in line behind them.

    So no thread waits while the caller keeps answers. Threads start as they are needed.
    """

    endpoint: Endpoint
    pace: Pace
    retries: int = 0
    in_flight: int = 0
    _questions: "SimpleQueue[Question | None]" = field(default_factory=SimpleQueue)
    _answers: "SimpleQueue[tuple[Question, ChatAnswer]]" = field(default_factory=SimpleQueue)
    _threads: list[threading.Thread] = field(default_factory=list)

    @property
    def free(self) -> int:
        return AHEAD * self.endpoint.concurrency - self.in_flight

    def submit(self, question: Question) -> None:
        self.in_flight += 1
        self._questions.put(question)
        if len(self._threads) < min(self.in_flight, self.endpoint.concurrency):
            thread = threading.Thread(target=self._work, daemon=True, name=f"model-{len(self._threads)}")
            self._threads.append(thread)
            thread.start()

    def answers(self, seconds: float) -> Iterator[tuple[Question, ChatAnswer]]:
        """Those that are there, after waiting for the first one at most so long."""
        with suppress(Empty):
            answer = self._answers.get(timeout=seconds) if seconds else self._answers.get_nowait()
            time.sleep(LINGER)
            while True:
                self.in_flight -= 1
                yield answer
                answer = self._answers.get_nowait()

    def stop(self) -> None:
        """Let go of what is on its way. A thread that is asking ends with its request, at the timeout at the latest."""
        self.pace.stopped.set()
        for _ in self._threads:
            self._questions.put(None)

    def _work(self) -> None:
        with Connection(self.endpoint) as connection:
            while (question := self._questions.get()) is not None:
                self._answers.put((question, self._ask(connection, question.request)))

    def _ask(self, connection: Connection, request: ChatRequest) -> ChatAnswer:
        """Try until there is an answer, or trying makes no sense."""
        answer = failure(Problem.GAVE_UP)
        for tries in range(1, self.endpoint.tries + 1):
            if not self.pace.wait_for_turn():
                break
            outcome = connection.ask(request)
            answer = outcome.answer
            if not outcome.is_passing or tries == self.endpoint.tries:
                break
            self.retries += 1
            if not self.pace.wait_after(tries, outcome.retry_after):
                break
        return answer
