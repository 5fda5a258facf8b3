"""Equivalence classes of answers: if a means b and b means c, then a means c."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class EquivalenceClasses(Generic[K]):
    """Classes over keys that already unite spellings, such as the set of an answer's words."""

    def __init__(
        self, key: Callable[[str], K], equivalent: Iterable[tuple[str, str]] = (), rank: Callable[[K], Any] = repr
    ) -> None:
        self._key, self._rank, self._parents = key, rank, dict[K, K]()
        for first, second in equivalent:
            self._join(key(first), key(second))

    def of(self, text: str) -> K:
        """The key that represents everything of the same meaning."""
        return self._root(self._key(text))

    def _root(self, key: K) -> K:
        while key in self._parents:
            key = self._parents[key]
        return key

    def _join(self, first: K, second: K) -> None:
        """The key with the lower rank represents both, so that the order of decisions does not matter."""
        low, high = sorted((self._root(first), self._root(second)), key=self._rank)
        if low != high:
            self._parents[high] = low
