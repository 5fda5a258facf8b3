"""Decide whether two answers mean the same: by the rules for answers, unless a person decided otherwise. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from profiles.answers import Agreement, compare
from profiles.attributes import Attribute

FREE_TEXT_ATTRIBUTES = (Attribute.LOCATION, Attribute.OCCUPATION, Attribute.PLACE_OF_BIRTH)
CONVERSE = {
    Agreement.LESS_PRECISE: Agreement.MORE_PRECISE, Agreement.MORE_PRECISE: Agreement.LESS_PRECISE,
    Agreement.MISSED: Agreement.EXTRA, Agreement.EXTRA: Agreement.MISSED,
}  # fmt: skip
MAX_CACHED_PAIRS = 200_000  # keeps memory constant in long builds
Pair = tuple[str, str, str]  # attribute and two answers in order


def ordered_pair(first: str, second: str) -> tuple[str, str]:
    """Two answers in the order in which a decision about them is stored."""
    return (first, second) if first < second else (second, first)


@dataclass(slots=True)
class Equivalence:
    """Compares answers; people's decisions take precedence. Caches pairs: comparing places needs the gazetteer."""

    decided: dict[Pair, bool] = field(default_factory=dict)
    _cache: dict[Pair, Agreement] = field(default_factory=dict)

    def agreement(self, attribute: Attribute, answer: str, other: str) -> Agreement:
        """How `answer` relates to `other`."""
        if answer == other:
            return Agreement.SAME
        first, second = ordered_pair(answer, other)
        key = (attribute.value, first, second)
        if key not in self._cache:
            if len(self._cache) >= MAX_CACHED_PAIRS:
                self._cache.clear()
            self._cache[key] = self._compare(attribute, first, second)
        agreement = self._cache[key]
        return agreement if answer == first else CONVERSE.get(agreement, agreement)

    def are_same(self, attribute: Attribute, answer: str, other: str) -> bool:
        return self.agreement(attribute, answer, other) is Agreement.SAME

    def _compare(self, attribute: Attribute, first: str, second: str) -> Agreement:
        """A decision “same” always holds; “not the same” leaves less and more precise answers as they are."""
        is_same = self.decided.get((attribute.value, first, second))
        if is_same:
            return Agreement.SAME
        agreement = compare(attribute, first, second)
        return Agreement.DIFFERENT if is_same is False and agreement is Agreement.SAME else agreement


def answer_pairs(values: Iterable[str]) -> list[tuple[str, str]]:
    """All pairs of different answers, each in the order in which decisions are stored."""
    distinct = sorted({value for value in values if value})
    return list(combinations(distinct, 2))
