"""Sharing profiles out among people: each to several, nobody twice, and as evenly as quotas allow. No database."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

NOBODY_LEFT = (
    "Some profiles have too few people who may read them: whoever labelled a profile before does not get it again. "
    "Name more people, lower the overlap, or raise the quotas."
)


class CannotShare(Exception):
    """There is no way to give every profile to enough people. Says why, to a person."""


@dataclass(frozen=True, slots=True)
class Share:
    """One person, and how many profiles they get at most; None: as many as it takes."""

    person: int
    quota: int | None = None


def loads(count: int, overlap: int, people: Sequence[Share]) -> dict[int, int]:
    """How many profiles each person gets: all alike, but for those whose quota is lower.

    Nobody reads a profile twice, so a quota above the number of profiles is as good as that number.
    """
    most = {share.person: count if share.quota is None else min(share.quota, count) for share in people}
    _refuse(count, overlap, people, most)
    given = dict.fromkeys(most, 0)
    left = count * overlap
    while left:
        free = [person for person in given if given[person] < most[person]]
        step = max(1, min(left // len(free), *(most[person] - given[person] for person in free)))
        for person in free[:left]:
            given[person] += step
        left -= step * len(free[:left])
    return given


def share_out(
    count: int, overlap: int, people: Sequence[Share], never: Mapping[int, Collection[int]] | None = None
) -> list[list[int]]:
    """For each profile the people who read it. `never` says for a profile's place who must not.

    Whoever has most left to get is next; among equals those who have shared the fewest profiles, so that everybody
    is compared with everybody. Without `never` that always works out; with it, what was given before is exchanged
    where somebody's quota is full.
    """
    table = _Table(count, loads(count, overlap, people), {share.person: share.quota for share in people}, never or {})
    for place in range(count):
        for _ in range(overlap):
            table.give(place)
    return table.readers


class _Table:
    """Who reads what so far."""

    def __init__(
        self,
        count: int,
        left: dict[int, int],
        quotas: Mapping[int, int | None],
        never: Mapping[int, Collection[int]],
    ) -> None:
        self.left, self.never = left, never
        self.room = {person: count if quota is None else min(quota, count) for person, quota in quotas.items()}
        self.readers: list[list[int]] = [[] for _ in range(count)]
        self.met: Counter[tuple[int, int]] = Counter()

    def give(self, place: int) -> None:
        able = [person for person in self._allowed(place) if self.room[person]]
        if able:
            self._add(place, min(able, key=lambda person: (-self.left[person], self._met(place, person))))
        else:
            self._exchange(place)

    def _allowed(self, place: int) -> list[int]:
        barred = self.never.get(place, ())
        return [person for person in self.room if person not in self.readers[place] and person not in barred]

    def _met(self, place: int, person: int) -> int:
        return sum(self.met[person, other] for other in self.readers[place])

    def _add(self, place: int, person: int) -> None:
        self.met.update(pair for other in self.readers[place] for pair in ((person, other), (other, person)))
        self.readers[place].append(person)
        self.room[person] -= 1
        self.left[person] -= 1

    def _exchange(self, place: int) -> None:
        """Somebody who may read it gives another profile to somebody who has room, through others if need be."""
        came: dict[int, tuple[int, int] | None] = dict.fromkeys(self._allowed(place))
        waiting = list(came)
        for person in waiting:
            if self.room[person]:
                return self._pass_on(place, person, came)
            for held in (n for n, readers in enumerate(self.readers) if person in readers):
                for other in self._allowed(held):
                    if other not in came:
                        came[other] = (person, held)
                        waiting.append(other)
        raise CannotShare(NOBODY_LEFT)

    def _pass_on(self, place: int, person: int, came: Mapping[int, tuple[int, int] | None]) -> None:
        while step := came[person]:
            giver, held = step
            self.readers[held].remove(giver)
            self.room[giver] += 1
            self._add(held, person)
            person = giver
        self._add(place, person)


def _refuse(count: int, overlap: int, people: Sequence[Share], most: Mapping[int, int]) -> None:
    if len(most) < len(people):
        raise CannotShare("Somebody is named twice. Nothing was shared out.")
    if overlap > len(people):
        raise CannotShare(
            f"{overlap} people are to read each profile, and {len(people)} are named. Name more, or lower the overlap."
        )
    if sum(most.values()) < count * overlap:
        raise CannotShare(
            f"The quotas add up to {sum(most.values())}, and there are {count * overlap} slots to share out: {overlap} "
            f"for each of {count} profiles. Raise the quotas, leave one open, or draw fewer."
        )
