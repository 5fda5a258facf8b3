"""What a run of any kind would cost, in words."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from annotator.core.formatting import plural
from evaluation.llm.budget import Prices, Usage, estimate_usage
from evaluation.llm.requests import ChatRequest


@dataclass(slots=True)
class DryRun:
    """Counts for requests that are not answered yet; `kept` answers cost nothing. `usage` is the most it can be."""

    calls: int = 0
    kept: int = 0
    usage: Usage = field(default_factory=Usage)
    prices: Prices | None = None

    def count(self, request: ChatRequest) -> None:
        self.calls += 1
        self.usage += estimate_usage(request)

    def cost_sentences(self) -> Iterator[str]:
        if self.kept:
            yield f"{plural(self.kept, 'more answer is', 'more answers are')} already stored and cost nothing."
        yield f"Cost: {cost_in_words(self.usage, self.prices)}."


def cost_in_words(usage: Usage, prices: Prices | None) -> str:
    """`at most 1.25 EUR, at prices of 3 May 2025`, or why it is unknown."""
    if prices is None:
        return "unknown, because the endpoint has no prices"
    return f"at most {money(prices.cost(usage))} {prices.currency}, at prices of {prices.read_on:%-d %B %Y}"


def money(amount: Decimal) -> str:
    """Cents, or more digits for what is less than a cent."""
    return f"{amount:.2f}" if amount >= Decimal("0.01") or not amount else f"{amount:.6f}"
