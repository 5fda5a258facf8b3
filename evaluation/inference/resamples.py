"""Figures over some cases with intervals over their profiles, all from the same resamples."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.inference.settings import Settings
from evaluation.stats.bootstrap import Weights, draw_weights
from evaluation.stats.estimates import Estimate, Statistic, Sums
from evaluation.stats.panel import Bools, Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class ProfileResamples:
    """The profile of each case, as an index, and how often each profile is drawn."""

    units: Ints
    weights: Weights

    @classmethod
    def of(cls, profiles: Sequence[str], settings: Settings) -> "ProfileResamples":
        """From the profile of each case. The order of the cases makes no difference."""
        names, units = np.unique(np.array(profiles, dtype=object), return_inverse=True)
        rng = np.random.default_rng(settings.seed)
        rounds = settings.bootstrap if len(names) else 0
        return cls(units.astype(np.int64), draw_weights(len(names), rounds, rng))

    def estimate(self, columns: Floats, statistic: Statistic, undefined: str) -> Estimate:
        """A statistic of the columns' sums. The first column is above 0 for every case that contributes."""
        table = np.zeros((self.weights.shape[1], columns.shape[1]))
        np.add.at(table, self.units, columns)
        contributing = int((table[:, 0] > 0).sum())
        return Sums.of(table, self.weights).apply(statistic).estimate(contributing, undefined, "profile")

    def mean(self, amounts: Sequence[float], undefined: str, is_chosen: Bools | None = None) -> Estimate:
        """The mean over all cases, or over the chosen ones. Of yes and no, it is the share of yes."""
        chosen = np.ones(len(self.units), bool) if is_chosen is None else is_chosen
        columns = np.column_stack([chosen, chosen * np.array(amounts, np.float64)]).astype(np.float64)
        return self.estimate(columns, _second_by_first, undefined)


def _second_by_first(sums: Floats) -> Floats:
    is_defined = sums[:, 0] > 0
    return np.where(is_defined, sums[:, 1] / np.where(is_defined, sums[:, 0], 1.0), np.nan)
