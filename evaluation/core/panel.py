"""Who judged which profile: the table that every question about agreement is asked on."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

NOBODY = -1  # an empty seat, and a code where nothing was said


@dataclass(frozen=True, slots=True)
class Panel:
    """One row for each profile, one seat for each person who judged it, by number; profiles of one person are out.

    `profiles` and `people` are the ids behind rows and numbers, ascending: the order of the input changes nothing.
    """

    seats: Ints
    profiles: Ints
    people: Ints

    @property
    def size(self) -> int:
        return len(self.profiles)

    def places(self, profiles: Ints, people: Ints) -> tuple[Ints, Ints]:
        """The row and seat of each judgement; row NOBODY for a profile that is out."""
        if not self.size:
            return np.full(len(profiles), NOBODY), np.zeros(len(profiles), np.int64)
        rows = np.searchsorted(self.profiles, profiles) % self.size
        known = self.profiles[rows] == profiles
        numbers = np.searchsorted(self.people, people)
        seats = np.zeros(len(profiles), np.int64)
        for seat in range(self.seats.shape[1]):
            seats[known & (self.seats[rows, seat] == numbers)] = seat
        return np.where(known, rows, NOBODY), seats

    def codes(self, places: tuple[Ints, Ints], codes: Ints) -> Ints:
        """What was said, laid out as the seats are."""
        table = np.full(self.seats.shape, NOBODY, np.int64)
        rows, seats = places
        known = rows != NOBODY
        table[rows[known], seats[known]] = codes[known]
        return table


def seat(profiles: Ints, people: Ints) -> Panel:
    """From the profile and the person of each judgement; saying both several times makes no difference."""
    known, numbers = np.unique(people, return_inverse=True)
    met = np.unique(np.stack([profiles, numbers], axis=1), axis=0) if len(profiles) else np.empty((0, 2), np.int64)
    ids, rows, counts = np.unique(met[:, 0], return_inverse=True, return_counts=True)
    first = np.cumsum(counts) - counts
    table = np.full((len(ids), max(counts, default=0)), NOBODY, np.int64)
    table[rows, np.arange(len(met)) - first[rows]] = met[:, 1]
    several = counts > 1
    return Panel(table[several], ids[several], known)
