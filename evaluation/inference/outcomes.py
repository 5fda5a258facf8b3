"""Outcomes of cases, as counts that add up.

A case is precise at k if one of the first k guesses has full credit, and less precise at k if none has, but one has
half. A case without guesses is neither: it is wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.inference.records import Case
from evaluation.stats.panel import Bools, Floats, Ints

TOPS = (1, 2, 3)
WIDTH = 1 + 2 * len(TOPS)  # of a row: the case itself, precise at 1, 2 and 3, less precise at 1, 2 and 3

Credits = tuple[float, ...]  # of the guesses, best guess first


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """One row per case, in the order of the cases. Rows of cases that are not scored are all zero."""

    cases: tuple[Case, ...]
    rows: Floats
    units: Ints  # the index of each case's profile
    unit_count: int

    @property
    def is_scored(self) -> Bools:
        return self.rows[:, 0] > 0

    def table(self, is_chosen: Bools | None = None) -> Floats:
        """Sums per profile, over all cases or the chosen ones."""
        rows, units = (self.rows, self.units) if is_chosen is None else (self.rows[is_chosen], self.units[is_chosen])
        table = np.zeros((self.unit_count, WIDTH))
        np.add.at(table, units, rows)
        return table


def build_outcomes(cases: Sequence[Case], scores: Sequence[Credits | None]) -> Outcomes:
    """From the credits of each case; None if it is not scored. Profiles are in the order of their names."""
    names = {name: index for index, name in enumerate(sorted({case.profile for case in cases}))}
    rows = np.array([outcome(score) for score in scores], np.float64).reshape(len(cases), WIDTH)
    units = np.array([names[case.profile] for case in cases], np.int64)
    return Outcomes(tuple(cases), rows, units, len(names))


def outcome(score: Credits | None) -> list[float]:
    if score is None:
        return [0.0] * WIDTH
    best = [max(score[:top], default=0.0) for top in TOPS]
    return [1.0, *(float(credit == 1) for credit in best), *(float(0 < credit < 1) for credit in best)]
