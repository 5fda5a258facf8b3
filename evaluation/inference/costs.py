"""What answers cost in money and time, per profile, beside the time that people took."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, slots=True)
class Usage:
    """Of all answers that a run uses. `kept` of them were there before, and were not paid for again.

    `seconds` are the sum of the times that answers took. `profiles` is how many were asked about; 0 stands for those
    of the file. Without prices, `cost` is None.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    cost: Decimal | float | None = None
    currency: str = ""
    prices_date: date | None = None
    kept: int = 0
    profiles: int = 0


def add_usage(usages: Sequence[Usage], profiles: int) -> Usage | None:
    """Of several models together. The cost is known if all costs are, in one currency."""
    if len(usages) < 2:
        return usages[0] if usages else None
    is_priced = all(usage.cost is not None for usage in usages) and len({usage.currency for usage in usages}) == 1
    dates = [usage.prices_date for usage in usages if usage.prices_date]
    return Usage(
        calls=sum(usage.calls for usage in usages),
        prompt_tokens=sum(usage.prompt_tokens for usage in usages),
        completion_tokens=sum(usage.completion_tokens for usage in usages),
        seconds=sum(usage.seconds for usage in usages),
        cost=sum(Decimal(usage.cost or 0) for usage in usages) if is_priced else None,
        currency=usages[0].currency if is_priced else "",
        prices_date=min(dates) if is_priced and dates else None,
        kept=sum(usage.kept for usage in usages),
        profiles=profiles,
    )


@dataclass(frozen=True, slots=True)
class HumanTime:
    """Active time of evaluators. A reading is one person with one profile, from opening it to submitting it."""

    seconds: float
    readings: int
    profiles: int


def describe_costs(usage: Usage | None, human: HumanTime | None, profiles: int) -> dict[str, Any] | None:
    """None if neither is known. `speed_up` is a person's time for a profile by the model's."""
    model = _model(usage, profiles) if usage else None
    people = _people(human) if human and human.readings else None
    if not model and not people:
        return None
    return {"model": model, "people": people, "speed_up": _speed_up(model, people)}


def _model(usage: Usage, profiles: int) -> dict[str, Any]:
    count = usage.profiles or profiles
    cost = None if usage.cost is None else float(usage.cost)
    totals = {
        "calls": usage.calls, "prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens,
        "seconds": float(usage.seconds), "cost": cost,
    }  # fmt: skip
    return {
        "profiles": count,
        **totals,
        "currency": usage.currency,
        "prices_date": usage.prices_date.isoformat() if usage.prices_date else None,
        "kept": usage.kept,
        "per_profile": {name: _ratio(value, count) for name, value in totals.items()},
    }


def _people(human: HumanTime) -> dict[str, Any]:
    return {
        "seconds": float(human.seconds), "readings": human.readings, "profiles": human.profiles,
        "per_reading": {"seconds": _ratio(human.seconds, human.readings)},
    }  # fmt: skip


def _speed_up(model: dict[str, Any] | None, people: dict[str, Any] | None) -> float | None:
    if not model or not people:
        return None
    return _ratio(people["per_reading"]["seconds"], model["per_profile"]["seconds"])


def _ratio(amount: float | None, count: float | None) -> float | None:
    return amount / count if amount is not None and count else None
