"""Which annotators judged which profile: the table that all ratings are laid out on."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

MISSING = -1  # no annotator in this cell, or no code


def factorize(keys: Ints) -> tuple[Ints, Ints]:
    """The distinct keys, ascending, and the index of each key among them. Keys must not be negative.

    Same as `np.unique` with `return_inverse`, but doesn't sort unless the largest key far exceeds the number of keys.
    """
    size = int(keys.max(initial=-1)) + 1
    if size > 4 * len(keys):
        distinct, indices = np.unique(keys, return_inverse=True)
        return distinct, indices
    is_present = np.zeros(size, bool)
    is_present[keys] = True
    return np.flatnonzero(is_present), (np.cumsum(is_present) - 1)[keys]


@dataclass(frozen=True, slots=True)
class Panel:
    """One row per profile, one cell per annotator who judged it. Profiles with a single annotator are left out.

    `annotators` contains indices into `annotator_ids`; rows correspond to `profile_ids`. Both are ascending, so the
    order of the input does not matter.
    """

    annotators: Ints
    profile_ids: Ints
    annotator_ids: Ints

    @property
    def size(self) -> int:
        return len(self.profile_ids)

    def positions(self, profiles: Ints, annotators: Ints) -> tuple[Ints, Ints]:
        """Row and column of each judgement. The row is MISSING for a profile that is left out."""
        if not self.size:
            return np.full(len(profiles), MISSING), np.zeros(len(profiles), np.int64)
        rows = np.searchsorted(self.profile_ids, profiles) % self.size
        is_in = self.profile_ids[rows] == profiles
        indices = np.searchsorted(self.annotator_ids, annotators)
        columns = np.zeros(len(profiles), np.int64)
        for column in range(self.annotators.shape[1]):
            columns[is_in & (self.annotators[rows, column] == indices)] = column
        return np.where(is_in, rows, MISSING), columns

    def lay_out(self, positions: tuple[Ints, Ints], codes: Ints) -> Ints:
        """Arrange the codes in the shape of the panel."""
        table = np.full(self.annotators.shape, MISSING, np.int64)
        rows, columns = positions
        is_in = rows != MISSING
        table[rows[is_in], columns[is_in]] = codes[is_in]
        return table


def build_panel(profiles: Ints, annotators: Ints) -> Panel:
    """Build a panel from the profile and annotator of each judgement. Repeated pairs make no difference."""
    (profile_ids, rows), (annotator_ids, indices) = factorize(profiles), factorize(annotators)
    distinct = factorize(rows * len(annotator_ids) + indices)[0]
    rows, indices = np.divmod(distinct, max(len(annotator_ids), 1))
    counts = np.bincount(rows, minlength=len(profile_ids))
    first = np.cumsum(counts) - counts
    table = np.full((len(profile_ids), max(counts, default=0)), MISSING, np.int64)
    table[rows, np.arange(len(rows)) - first[rows]] = indices
    is_shared = counts > 1
    return Panel(table[is_shared], profile_ids[is_shared], annotator_ids)
