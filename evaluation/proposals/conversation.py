"""A conversation with a model, question by question. Every answer is kept first: a repeat asks nothing again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Budget, BudgetReached, Prices
from evaluation.llm.client import EndpointUnusable, ModelClient
from evaluation.llm.requests import ChatAnswer, ChatRequest, Problem
from evaluation.proposals.prompts import SCHEMA, Question

NO_BUDGET = "The conversation would exceed the token limit of a search. Ask for fewer subreddits."
PROBLEMS = {
    Problem.WRONG_KEY: "The endpoint rejects the key. Enter the right one on the endpoint's page, then ask again.",
    Problem.UNKNOWN_MODEL: (
        "The endpoint doesn't know the model, or its address is wrong. Fix the endpoint, then ask again."
    ),
    Problem.REDIRECTED: "The endpoint redirects requests, which Telltale doesn't follow. Enter its final address.",
    Problem.GAVE_UP: "The endpoint doesn't respond. Earlier answers are kept. Ask again once it is back.",
    Problem.BAD_ANSWER: "The endpoint responds, but not in the chat format. Check its address, then ask again.",
    Problem.BAD_REQUEST: "The endpoint rejects the question. Ask for fewer subreddits, or use another endpoint.",
    Problem.CONTEXT_OVERFLOW: "The conversation is longer than the model can read. Ask for fewer subreddits.",
    Problem.REFUSED_BY_SERVER: "The endpoint's content filter refused. Rephrase the request, or use another endpoint.",
    Problem.EMPTY: "The model's answer was empty. Rephrase the request, or use another endpoint.",
    Problem.TOO_LARGE: "The answer is far too long to be a list. Rephrase the request, or use another endpoint.",
}


class NoAnswer(Exception):
    """The question has no answer. `exchange` is what to keep if asking again would give the same."""

    def __init__(self, reason: str, exchange: "Exchange | None" = None) -> None:
        super().__init__(reason)
        self.exchange = exchange


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer."""

    question: str
    answer: ChatAnswer
    has_schema: bool

    def as_row(self, outcome: str, **counts: int) -> dict[str, Any]:
        """What the search keeps of it, without what Postgres can't hold."""
        answer = self.answer
        return {
            "question": self.question, "answer": _storable(answer.text), "has_schema": self.has_schema,
            "outcome": outcome, "is_cut": answer.finish_reason == "length", "prompt_tokens": answer.prompt_tokens,
            "completion_tokens": answer.completion_tokens, "seconds": round(answer.seconds, 3), **counts,
        }  # fmt: skip


@dataclass(slots=True)
class Conversation:
    """Asks with a JSON schema, until the endpoint refuses it: then in plain words, for the rest of the conversation."""

    client: ModelClient
    attempts: AttemptStore
    max_spending: int  # tokens, over all questions
    prices: Prices | None
    check: Callable[[], object]  # called while waiting; what it raises ends the conversation
    system: str
    max_tokens: int
    has_schema: bool = True
    exchanges: list[Exchange] = field(default_factory=list)

    def ask(self, question: Question) -> Exchange:
        """The answer to the question, in the light of what was said before. Raises NoAnswer."""
        exchange = self._ask(question)
        if exchange.answer.problem:
            problem = Problem(exchange.answer.problem)
            raise NoAnswer(PROBLEMS[problem], exchange if exchange.answer.is_kept else None)
        self.has_schema = exchange.has_schema
        self.exchanges.append(exchange)
        return exchange

    def _ask(self, question: Question) -> Exchange:
        exchange = self._exchange(question, has_schema=self.has_schema and not self._has_plain_answer(question))
        if exchange.has_schema and exchange.answer.problem == Problem.BAD_REQUEST:
            exchange = self._exchange(question, has_schema=False)
        return exchange

    def _has_plain_answer(self, question: Question) -> bool:
        """Whether the endpoint refused the schema before, so that asking with it is of no use. 1 query."""
        digest = self.attempts.digest(self._request(question, has_schema=False))
        return bool(self.attempts.find([digest]))

    def _exchange(self, question: Question, *, has_schema: bool) -> Exchange:
        answer = self._send(self._request(question, has_schema=has_schema))
        return Exchange(question.text(has_schema=has_schema), answer, has_schema)

    def _request(self, question: Question, *, has_schema: bool) -> ChatRequest:
        earlier = [
            message
            for exchange in self.exchanges
            for message in (("user", exchange.question), ("assistant", exchange.answer.text))
        ]
        messages = (("system", self.system), *earlier, ("user", question.text(has_schema=has_schema)))
        schema: Mapping[str, Any] | None = SCHEMA if has_schema else None
        return ChatRequest(messages, max_tokens=self.max_tokens, json_schema=schema)

    def _send(self, request: ChatRequest) -> ChatAnswer:
        answers: list[ChatAnswer] = []
        budget = Budget(tokens=self.max_spending, prices=self.prices)  # counts what the store says was spent before
        try:
            for _, answer in self.client.ask_all(
                [("", request)], attempts=self.attempts, budget=budget, tell=lambda standing: self.check()
            ):
                answers.append(answer)  # what makes the endpoint unusable comes before the exception
        except BudgetReached as error:
            raise NoAnswer(NO_BUDGET) from error
        except EndpointUnusable as error:
            if not answers:
                raise NoAnswer(str(error)) from error
        return answers[0]


def _storable(text: str) -> str:
    return text.replace("\x00", "").encode(errors="replace").decode()
