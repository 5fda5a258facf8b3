"""Ask a model many things at once, and keep every answer before it is handed on."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry
from evaluation.llm.attempts import Attempt, AttemptStore
from evaluation.llm.budget import Budget, BudgetReached
from evaluation.llm.endpoints import Endpoint, check_endpoint
from evaluation.llm.pace import FIRST_WAIT, Pace
from evaluation.llm.requests import HOPELESS, ChatAnswer, ChatRequest, Problem
from evaluation.llm.workers import Question, WorkerPool

FAILURES_IN_A_ROW = 20  # then the endpoint is gone
TICK = 0.5  # seconds between two looks at answers, and between two calls of `tell`
NO_BUDGET = "The budget is used up. All answers so far are kept. Continue with a larger budget to ask the rest."
WRONG_KEY = "The endpoint rejects the key in {variable}, or needs one. Check it."
WRONG_STORED_KEY = "The endpoint rejects its key, or needs one. An admin can enter another one on the endpoint's page."
REASONS = {
    Problem.UNKNOWN_MODEL: "The endpoint doesn't know the model, or its address is wrong. Check both.",
    Problem.REDIRECTED: "The endpoint redirects requests, which Telltale doesn't follow. Use the final address.",
}
GONE = "The endpoint stopped answering. All answers so far are kept. Start the run again to continue."
UNREACHED = "The endpoint didn't answer after several attempts. All answers so far are kept. Continue to ask the rest."


class EndpointUnusable(Exception):
    """Nothing more can be asked. All answers so far are kept."""


@dataclass(slots=True)
class Standing:
    """How far a run is. Counts are of requests."""

    answered: int = 0  # by the endpoint
    found: int = 0  # kept before
    failed: int = 0
    retries: int = 0
    in_flight: int = 0


@dataclass(slots=True)
class ModelClient:
    """Asks one endpoint. `asked_by` stands in the audit log when texts leave this machine."""

    endpoint: Endpoint
    asked_by: Annotator | None = None
    first_wait: float = FIRST_WAIT

    def __post_init__(self) -> None:
        check_endpoint(self.endpoint)

    def ask_all(
        self, requests: Iterable[tuple[str, ChatRequest]], *, attempts: AttemptStore, budget: Budget,
        tell: Callable[[Standing], object],
    ) -> Iterator[tuple[str, ChatAnswer]]:  # fmt: skip
        """Pairs of key and answer, as answers arrive. `tell` is called at least every half second, in this thread.

        Ends with BudgetReached or EndpointUnusable when not everything could be asked. Whatever `tell` raises ends it
        as well. What was answered until then is kept.
        """
        pace = Pace(self.endpoint.per_minute, self.endpoint.longest_wait, self.first_wait)
        pool = WorkerPool(self.endpoint, pace)
        run = _Run(pool, iter(requests), attempts, budget, tell, self._record_sending)
        try:
            yield from run.answers()
        finally:
            pool.stop()
            run.end()

    def _record_sending(self) -> None:
        if not self.endpoint.is_local:
            host, model = self.endpoint.host, self.endpoint.model
            record(AuditEntry.Action.TEXTS_SENT, actor=self.asked_by, host=host, model=model)


@dataclass(slots=True)
class _Run:
    """The state of one `ask_all`. Holds the requests on their way and some in line, never all of them."""

    pool: WorkerPool
    requests: Iterator[tuple[str, ChatRequest]]
    attempts: AttemptStore
    budget: Budget
    tell: Callable[[Standing], object]
    record_sending: Callable[[], None]
    standing: Standing = field(default_factory=Standing)
    waiting: deque[Question] = field(default_factory=deque)  # read, but not sent yet
    claimed: set[str] = field(default_factory=set)
    failures_in_a_row: int = 0
    is_over_budget: bool = False
    reason: str = ""  # why nothing more is sent
    has_sent: bool = False

    def answers(self) -> Iterator[tuple[str, ChatAnswer]]:
        self.budget.spent += self.attempts.spent()
        while True:
            yield from self._send_some()
            self._tell()
            if not self.pool.in_flight and self._is_over():
                break
            yield from self._receive()
        if self.reason:
            raise EndpointUnusable(self.reason)
        if self.is_over_budget:
            raise BudgetReached(NO_BUDGET)

    def end(self) -> None:
        """Keep what has arrived but can't be handed on any more, and give all rights to ask back."""
        list(self._receive(0.0))
        self._give_back(list(self.claimed))

    def _is_over(self) -> bool:
        return bool(self.reason) or self.is_over_budget or not self.waiting

    def _send_some(self) -> Iterator[tuple[str, ChatAnswer]]:
        """Fill the free places, skipping what is kept already. 2 or 3 queries for each round."""
        while not self.reason and not self.is_over_budget and self.pool.free > 0:
            candidates = self._candidates()
            free = self._claim(candidates)
            # After the claim: whoever asked the same before has kept the answer by now.
            kept = self.attempts.find([question.digest for question in candidates])
            rest = [question for question in candidates if question.digest not in kept]
            sent = self._send(rest, free)
            self._give_back([question.digest for question in candidates if question.digest in free])
            yield from self._hand_out(candidates, kept)
            if not sent and not kept:
                break

    def _candidates(self) -> list[Question]:
        """Questions that wait for somebody else's answer first, then new ones, as many as there are free places."""
        for key, request in islice(self.requests, max(self.pool.free - len(self.waiting), 0)):
            self.waiting.append(Question(key, self.attempts.digest(request), request))
        candidates = list(self.waiting)
        self.waiting.clear()
        return candidates

    def _claim(self, questions: list[Question]) -> set[str]:
        """The digests that only this run asks from now on. What it is asking already isn't free either."""
        digests = {question.digest for question in questions} - self.claimed
        free = self.attempts.claim(sorted(digests)) if digests else set()
        self.claimed |= free
        return free

    def _send(self, questions: list[Question], free: set[str]) -> int:
        """Send those that are free and fit into the budget; the others wait. `free` keeps what wasn't sent."""
        sent = 0
        for question in questions:
            if question.digest in free and self._fits(question.request):
                free.discard(question.digest)  # the same question again waits for this answer
                self._submit(question)
                sent += 1
            else:
                self.waiting.append(question)
        return sent

    def _fits(self, request: ChatRequest) -> bool:
        """Requests on their way may turn out cheaper, so only with none of them is the budget used up."""
        if self.budget.reserve(request):
            return True
        self.is_over_budget = not self.pool.in_flight
        return False

    def _submit(self, question: Question) -> None:
        if not self.has_sent:
            self.record_sending()
            self.has_sent = True
        self.pool.submit(question)

    def _hand_out(self, questions: list[Question], kept: dict[str, ChatAnswer]) -> Iterator[tuple[str, ChatAnswer]]:
        for question in questions:
            if question.digest in kept:
                self.standing.found += 1
                yield question.key, kept[question.digest]

    def _receive(self, seconds: float = TICK) -> Iterator[tuple[str, ChatAnswer]]:
        """Keep what has arrived, then hand it on. 3 queries."""
        arrived = list(self.pool.answers(seconds))
        kept = [attempt for question, answer in arrived if (attempt := self._settle(question, answer))]
        if kept:
            self.attempts.keep_all(kept)
        self._give_back([question.digest for question, _ in arrived])
        for question, answer in arrived:
            yield question.key, answer

    def _settle(self, question: Question, answer: ChatAnswer) -> Attempt | None:
        """Count an answer. Return what there is to keep of it."""
        cost = self.budget.settle(question.request, answer)
        if answer.is_kept:
            self.standing.answered += 1
            self.failures_in_a_row = 0
            return Attempt(question.digest, question.request, answer, cost)
        self.standing.failed += 1
        self.failures_in_a_row += 1
        if answer.problem in HOPELESS:
            self.reason = _reason(Problem(answer.problem), self.pool.endpoint)
        elif self.failures_in_a_row >= FAILURES_IN_A_ROW:
            self.reason = self.reason or GONE
        return None

    def _give_back(self, digests: list[str]) -> None:
        owned = self.claimed & set(digests)
        if owned:
            self.attempts.release(sorted(owned))
            self.claimed -= owned

    def _tell(self) -> None:
        self.standing.retries, self.standing.in_flight = self.pool.retries, self.pool.in_flight
        self.tell(self.standing)


def _reason(problem: Problem, endpoint: Endpoint) -> str:
    """Why every other request would fail, too."""
    if problem != Problem.WRONG_KEY:
        return REASONS[problem]
    return WRONG_KEY.format(variable=endpoint.key_variable) if endpoint.key_variable else WRONG_STORED_KEY
