"""Share profiles out among annotators: several per profile, nobody twice, as evenly as quotas allow. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

NOBODY_LEFT = (
    "Some profiles have too few evaluators left: nobody gets a profile that they have already labelled. "
    "Choose more people, ask for fewer evaluators per profile, or raise the maximums."
)


class CannotShare(Exception):
    """No distribution gives every profile enough annotators. The message explains why."""


@dataclass(frozen=True, slots=True)
class Share:
    """One annotator and the most profiles they get; None for no limit."""

    person: int
    quota: int | None = None


def shares_from_json(people: Iterable[Mapping[str, Any]]) -> tuple[Share, ...]:
    """Read `Batch.people`."""
    return tuple(Share(person["annotator"], person["quota"]) for person in people)


def shares_as_json(shares: Iterable[Share]) -> list[dict[str, Any]]:
    return [{"annotator": share.person, "quota": share.quota} for share in shares]


def loads(count: int, overlap: int, people: Sequence[Share]) -> dict[int, int]:
    """How many profiles each annotator gets: the same for all, except where a quota is lower.

    Nobody gets a profile twice, so a quota above the number of profiles counts as that number.
    """
    limits = {share.person: count if share.quota is None else min(share.quota, count) for share in people}
    _refuse_impossible(count, overlap, people, limits)
    counts = dict.fromkeys(limits, 0)
    remaining = count * overlap
    while remaining:
        free = [person for person in counts if counts[person] < limits[person]]
        step = max(1, min(remaining // len(free), *(limits[person] - counts[person] for person in free)))
        for person in free[:remaining]:
            counts[person] += step
        remaining -= step * len(free[:remaining])
    return counts


def share_out(
    count: int, overlap: int, people: Sequence[Share], excluded: Mapping[int, Collection[int]] | None = None
) -> list[list[int]]:
    """The annotators of each profile. `excluded` maps a profile's index to those who must not get it.

    The annotator with the largest remaining load comes next. Ties go to whoever shares the fewest profiles with the
    annotators chosen so far, so that everybody is compared with everybody. With `excluded`, earlier choices are
    exchanged where somebody's quota is full. Raises CannotShare if there are too few people or the quotas are too low;
    with `excluded`, also if exchanging does not help.
    """
    quotas = {share.person: share.quota for share in people}
    distribution = _Distribution(count, loads(count, overlap, people), quotas, excluded or {})
    for index in range(count):
        for _ in range(overlap):
            distribution.assign(index)
    return distribution.annotators


class _Distribution:
    """Who has which profiles so far."""

    def __init__(
        self,
        count: int,
        loads: dict[int, int],
        quotas: Mapping[int, int | None],
        excluded: Mapping[int, Collection[int]],
    ) -> None:
        self.loads, self.excluded = loads, excluded
        self.capacity = {person: count if quota is None else min(quota, count) for person, quota in quotas.items()}
        self.annotators: list[list[int]] = [[] for _ in range(count)]
        self.pair_counts: Counter[tuple[int, int]] = Counter()

    def assign(self, index: int) -> None:
        free = [person for person in self._allowed(index) if self.capacity[person]]
        if free:
            self._add(index, min(free, key=lambda person: (-self.loads[person], self._shared(index, person))))
        else:
            self._exchange(index)

    def _allowed(self, index: int) -> list[int]:
        excluded = self.excluded.get(index, ())
        return [person for person in self.capacity if person not in self.annotators[index] and person not in excluded]

    def _shared(self, index: int, person: int) -> int:
        return sum(self.pair_counts[person, other] for other in self.annotators[index])

    def _add(self, index: int, person: int) -> None:
        self.pair_counts.update(pair for other in self.annotators[index] for pair in ((person, other), (other, person)))
        self.annotators[index].append(person)
        self.capacity[person] -= 1
        self.loads[person] -= 1

    def _exchange(self, index: int) -> None:
        """Make an allowed person pass on one of their profiles, through others if need be. Breadth-first search."""
        origins: dict[int, tuple[int, int] | None] = dict.fromkeys(self._allowed(index))
        queue = list(origins)
        for person in queue:
            if self.capacity[person]:
                return self._pass_on(index, person, origins)
            for held in (n for n, annotators in enumerate(self.annotators) if person in annotators):
                for other in self._allowed(held):
                    if other not in origins:
                        origins[other] = (person, held)
                        queue.append(other)
        raise CannotShare(NOBODY_LEFT)

    def _pass_on(self, index: int, person: int, origins: Mapping[int, tuple[int, int] | None]) -> None:
        while origin := origins[person]:
            giver, held = origin
            self.annotators[held].remove(giver)
            self.capacity[giver] += 1
            self._add(held, person)
            person = giver
        self._add(index, person)


def _refuse_impossible(count: int, overlap: int, people: Sequence[Share], limits: Mapping[int, int]) -> None:
    if len(limits) < len(people):
        raise CannotShare("Someone is listed twice. Nothing was assigned.")
    if overlap > len(people):
        raise CannotShare(
            f"Each profile needs {overlap} evaluators, but you chose {len(people)}. "
            "Choose more, or ask for fewer evaluators per profile."
        )
    if sum(limits.values()) < count * overlap:
        raise CannotShare(
            f"The maximums add up to {sum(limits.values())}, but there are {count * overlap} assignments: "
            f"{overlap} for each of {count} profiles. Raise a maximum, leave one empty, or draw fewer."
        )
