"""What a run may cost: in tokens, or in money by the prices that somebody entered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from evaluation.llm.requests import ChatAnswer, ChatRequest

OTHER_CURRENCY = "The prices of the two endpoints are in different currencies. Limit the tokens instead."
CHARACTERS_PER_TOKEN = 4  # a rule of thumb, for estimates only
MILLION = 1_000_000


class BudgetReached(Exception):
    """The next request could cost more than is left. All answers so far are kept."""


class BudgetUnusable(Exception):
    """A limit in money without prices."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of requests and answers. They add up."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.prompt + other.prompt, self.completion + other.completion)

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(self.prompt - other.prompt, self.completion - other.completion)

    @property
    def tokens(self) -> int:
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True)
class Prices:
    """Per million tokens, as somebody read them on a day. None are shipped, because they go stale."""

    prompt: Decimal
    completion: Decimal
    currency: str
    read_on: date

    def cost(self, usage: Usage) -> Decimal:
        return (self.prompt * usage.prompt + self.completion * usage.completion) / MILLION


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run can cost at most, by characters / 4 and the longest answers that it allows."""

    calls: int
    usage: Usage
    cost: Decimal | None


def estimate_usage(request: ChatRequest) -> Usage:
    """Rounded up, so that a limit of a few tokens isn't passed unnoticed."""
    return Usage(-(-request.characters // CHARACTERS_PER_TOKEN), request.max_tokens)


def estimate_run(requests: Iterable[ChatRequest], prices: Prices | None = None) -> Estimate:
    calls, usage = 0, Usage()
    for request in requests:
        calls, usage = calls + 1, usage + estimate_usage(request)
    return Estimate(calls, usage, None if prices is None else prices.cost(usage))


def usage_of(request: ChatRequest, answer: ChatAnswer) -> Usage:
    """What the server counted; what it did not tell is estimated from the characters."""
    prompt, completion = answer.prompt_tokens, answer.completion_tokens
    if prompt is None:
        prompt = estimate_usage(request).prompt
    if completion is None:
        completion = -(-len(answer.text) // CHARACTERS_PER_TOKEN)
    return Usage(prompt, completion)


@dataclass(slots=True)
class Budget:
    """A limit in tokens, in money, both, or none. Requests on their way count with the most that they can cost."""

    tokens: int | None = None
    money: Decimal | None = None
    prices: Prices | None = None
    spent: Usage = field(default_factory=Usage)
    reserved: Usage = field(default_factory=Usage)

    def __post_init__(self) -> None:
        if self.money is not None and self.prices is None:
            raise BudgetUnusable("A budget in money needs the prices per million tokens. Enter them, or limit tokens.")

    def reserve(self, request: ChatRequest) -> bool:
        """Set the most that the request can cost aside. False, and nothing is set aside, if it no longer fits."""
        usage = estimate_usage(request)
        if not self._allows(self.spent + self.reserved + usage):
            return False
        self.reserved += usage
        return True

    def settle(self, request: ChatRequest, answer: ChatAnswer) -> Decimal | None:
        """Count what a reserved request used, and return its cost. Requests that failed count nothing."""
        self.reserved -= estimate_usage(request)
        usage = usage_of(request, answer) if answer.is_kept else Usage()
        self.spent += usage
        return self.cost_of(usage)

    def cost_of(self, usage: Usage) -> Decimal | None:
        return None if self.prices is None else self.prices.cost(usage)

    @property
    def cost(self) -> Decimal | None:
        return self.cost_of(self.spent)

    def rest(self, prices: Prices | None) -> "Budget":
        """What is left of it for another endpoint, by that one's prices. Raises BudgetUnusable."""
        if self.money is not None and prices and self.prices and prices.currency != self.prices.currency:
            raise BudgetUnusable(OTHER_CURRENCY)
        tokens = None if self.tokens is None else self.tokens - self.spent.tokens
        return Budget(tokens, None if self.money is None else self.money - (self.cost or 0), prices)

    def _allows(self, usage: Usage) -> bool:
        cost = self.cost_of(usage)
        within_money = self.money is None or cost is None or cost <= self.money
        return within_money and (self.tokens is None or usage.tokens <= self.tokens)


@dataclass(frozen=True, slots=True)
class Limit:
    """What a run may cost; None is no limit. Money needs the prices of the endpoint."""

    tokens: int | None = None
    money: Decimal | None = None

    def as_json(self) -> dict[str, Any]:
        return {"tokens": self.tokens, "money": None if self.money is None else str(self.money)}

    @classmethod
    def of(cls, contents: Mapping[str, Any]) -> "Limit":
        money = contents.get("money")
        return cls(contents.get("tokens"), None if money is None else Decimal(money))

    def budget(self, prices: Prices | None) -> Budget:
        return Budget(tokens=self.tokens, money=self.money, prices=prices)
