"""Who judged which profile: the table that every question about agreement is asked on."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

NOBODY = -1  # an empty seat, and a code where nothing was said


def numbered(keys: Ints) -> tuple[Ints, Ints]:
    """Which keys there are, ascending, and the number of each among them. None is negative.

    As `np.unique` does it, but without sorting where the keys are not much larger than they are many.
    """
    size = int(keys.max(initial=-1)) + 1
    if size > 4 * len(keys):
        known, numbers = np.unique(keys, return_inverse=True)
        return known, numbers
    is_there = np.zeros(size, bool)
    is_there[keys] = True
    return np.flatnonzero(is_there), (np.cumsum(is_there) - 1)[keys]


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
    (ids, rows), (known, numbers) = numbered(profiles), numbered(people)
    rows, numbers = np.divmod(numbered(rows * len(known) + numbers)[0], max(len(known), 1))
    counts = np.bincount(rows, minlength=len(ids))
    first = np.cumsum(counts) - counts
    table = np.full((len(ids), max(counts, default=0)), NOBODY, np.int64)
    table[rows, np.arange(len(rows)) - first[rows]] = numbers
    several = counts > 1
    return Panel(table[several], ids[several], known)
