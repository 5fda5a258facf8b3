"""How far people are protected from an attack by inference: collective and individual protection rate (SPIA, 2026).

collective = 1 − ΣS ÷ ΣA over all profiles         (people with much to infer weigh more)
individual = the mean of 1 − S ÷ A over profiles   (every person has the same weight)

A is the number of a profile's labels, S the sum of the credits of the first guesses: 1, ½ if less precise, or 0.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evaluation.inference.outcomes import TOPS, Outcomes
from evaluation.inference.scores import ratio
from evaluation.stats.bootstrap import Weights
from evaluation.stats.differences import paired_difference
from evaluation.stats.estimates import Estimate, Sums
from evaluation.stats.panel import Floats

UNDEFINED = "No labels: there is nothing to protect."
FIRST, LESS_PRECISE = 1, 1 + len(TOPS)  # columns of an outcome, for the first guess
LABELS, CREDITS, PROFILES, SHARES = range(4)  # columns here


@dataclass(frozen=True, slots=True)
class ProtectionRates:
    collective: Estimate
    individual: Estimate

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def measure_protection(table: Floats, weights: Weights) -> ProtectionRates:
    """From counts per profile, as `Outcomes.table` has them."""
    sums, profiles = Sums.of(_per_profile(table), weights), _profile_count(table)
    collective, individual = (
        sums.apply(rate).estimate(profiles, UNDEFINED, "profile") for rate in (_collective, _individual)
    )
    return ProtectionRates(collective, individual)


def compare_protection(first: Outcomes, second: Outcomes, weights: Weights) -> ProtectionRates:
    """The first minus the second, on the cases that both score and on the same resamples."""
    is_shared = first.is_scored & second.is_scored
    tables = first.table(is_shared), second.table(is_shared)
    sums = Sums.of(_per_profile(tables[0]), weights), Sums.of(_per_profile(tables[1]), weights)
    collective, individual = (
        paired_difference(*sums, rate).estimate(_profile_count(tables[0]), UNDEFINED, "profile")
        for rate in (_collective, _individual)
    )
    return ProtectionRates(collective, individual)


def _per_profile(table: Floats) -> Floats:
    """Labels, credits, whether the profile has labels, and the share of its labels that were not inferred."""
    labels, credits_ = table[:, 0], table[:, FIRST] + table[:, LESS_PRECISE] / 2
    has_labels = labels > 0
    shares = np.where(has_labels, 1 - credits_ / np.where(has_labels, labels, 1.0), 0.0)
    return np.stack([labels, credits_, has_labels.astype(np.float64), shares], axis=1)


def _profile_count(table: Floats) -> int:
    return int((table[:, 0] > 0).sum())


def _collective(sums: Floats) -> Floats:
    return 1 - ratio(sums[:, CREDITS], sums[:, LABELS])


def _individual(sums: Floats) -> Floats:
    return ratio(sums[:, SHARES], sums[:, PROFILES])
