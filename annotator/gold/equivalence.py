"""Whether two answers mean the same: by the rules of answers, unless a person decided otherwise. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from profiles.answers import Agreement, compare
from profiles.attributes import Attribute

IN_WORDS = (Attribute.LOCATION, Attribute.OCCUPATION, Attribute.PLACE_OF_BIRTH)
TURNED = {
    Agreement.LESS_PRECISE: Agreement.MORE_PRECISE, Agreement.MORE_PRECISE: Agreement.LESS_PRECISE,
    Agreement.MISSED: Agreement.EXTRA, Agreement.EXTRA: Agreement.MISSED,
}  # fmt: skip
REMEMBERED = 200_000  # pairs, so that a long run needs no more memory than a short one
Pair = tuple[str, str, str]  # attribute, one, other


def in_order(one: str, other: str) -> tuple[str, str]:
    """Two answers as a decision about them is kept, whichever was named first."""
    return (one, other) if one < other else (other, one)


@dataclass(slots=True)
class Meanings:
    """How answers agree. Each distinct pair is compared once: places are looked up in the gazetteer."""

    decided: dict[Pair, bool] = field(default_factory=dict)
    _compared: dict[Pair, Agreement] = field(default_factory=dict)

    def agreement(self, attribute: Attribute, one: str, other: str) -> Agreement:
        """What the first says against the second."""
        if one == other:
            return Agreement.SAME
        first, second = in_order(one, other)
        key = (attribute.value, first, second)
        if key not in self._compared:
            if len(self._compared) >= REMEMBERED:
                self._compared.clear()
            self._compared[key] = self._compare(attribute, first, second)
        found = self._compared[key]
        return found if one == first else TURNED.get(found, found)

    def are_same(self, attribute: Attribute, one: str, other: str) -> bool:
        return self.agreement(attribute, one, other) is Agreement.SAME

    def _compare(self, attribute: Attribute, first: str, second: str) -> Agreement:
        """“The same” is always believed; “not the same” makes nothing of what is less or more precise."""
        is_same = self.decided.get((attribute.value, first, second))
        if is_same:
            return Agreement.SAME
        found = compare(attribute, first, second)
        return Agreement.DIFFERENT if is_same is False and found is Agreement.SAME else found


def pairs_of(values: Iterable[str]) -> list[tuple[str, str]]:
    """Every two different answers, in the order in which decisions are kept."""
    distinct = sorted({value for value in values if value})
    return [(one, other) for at, one in enumerate(distinct) for other in distinct[at + 1 :]]
