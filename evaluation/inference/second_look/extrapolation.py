"""How many of all eligible claims people would confirm, estimated from those that they reviewed. Plain Python.

Claims are drawn attribute by attribute, each as likely as any other of its attribute, and stand in the queue in an
order that says nothing about them. So the reviewed claims of an attribute are a random sample of its eligible ones:
each stands for N ÷ n of them.

The interval is Wilson's, with the number of claims that a simple random sample would need to be as exact:
1 / Σ (N ÷ ΣN)² × (1 − n ÷ N) ÷ n over attributes, with N eligible and n reviewed claims. As it ignores that attributes
differ, it is rather too wide than too narrow. It closes once every claim has been reviewed.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

NORMAL = 1.959964  # for a 95 % interval


@dataclass(frozen=True, slots=True)
class Stratum:
    """The claims about one attribute."""

    eligible: int
    reviewed: int
    confirmed: int


def extrapolate(strata: Collection[Stratum], known: int) -> dict[str, Any] | None:
    """`known` is how many answers people had found. Attributes without a reviewed claim are left out.

    None if nothing was reviewed.
    """
    sampled = [stratum for stratum in strata if stratum.reviewed]
    if not sampled:
        return None
    eligible = sum(stratum.eligible for stratum in sampled)
    total = sum(stratum.eligible * stratum.confirmed / stratum.reviewed for stratum in sampled)
    low, high = wilson(total / eligible, _unexplained(sampled, eligible))
    # What was reviewed is known, whatever the rest is.
    confirmed = sum(stratum.confirmed for stratum in sampled)
    rejected = sum(stratum.reviewed for stratum in sampled) - confirmed
    bounds = max(low * eligible, confirmed), min(high * eligible, eligible - rejected)
    totals = dict(zip(("value", "low", "high"), (total, *bounds), strict=True))
    return {
        "eligible": eligible,
        "left_out": sum(stratum.eligible for stratum in strata) - eligible,
        "confirmed": totals,
        "missing": {name: _share(count, known) for name, count in totals.items()},
    }


def strata_of(eligible: Mapping[str, int], reviewed: Mapping[str, int], confirmed: Mapping[str, int]) -> list[Stratum]:
    return [Stratum(count, reviewed.get(name, 0), confirmed.get(name, 0)) for name, count in eligible.items()]


def wilson(share: float, unexplained: float) -> tuple[float, float]:
    """`unexplained` is 1 ÷ n of a simple random sample; 0 if everything is known."""
    spread = NORMAL**2 * unexplained
    centre = (share + spread / 2) / (1 + spread)
    half = sqrt(spread * share * (1 - share) + spread**2 / 4) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)


def _unexplained(sampled: Collection[Stratum], eligible: int) -> float:
    return sum(
        (stratum.eligible / eligible) ** 2 * (1 - stratum.reviewed / stratum.eligible) / stratum.reviewed
        for stratum in sampled
    )


def _share(count: float, known: int) -> float | None:
    return count / (count + known) if count + known else None
