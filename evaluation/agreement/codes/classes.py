"""Equivalence classes of answers: if a means b and b means c, then a means c."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class EquivalenceClasses(Generic[K]):
    """Union-find over keys that already unite spellings, such as the set of an answer's words."""

    def __init__(
        self, key: Callable[[str], K], equivalent: Iterable[tuple[str, str]] = (), rank: Callable[[K], Any] = repr
    ) -> None:
        self._key, self._rank, self._parents = key, rank, dict[K, K]()
        for first, second in equivalent:
            self._join(key(first), key(second))

    def of(self, text: str) -> K:
        """The key that represents all answers with the same meaning."""
        return self._root(self._key(text))

    def _root(self, key: K) -> K:
        while key in self._parents:
            key = self._parents[key]
        return key

    def _join(self, first: K, second: K) -> None:
        """Let the key with the lower rank represent both, so that the order of decisions does not matter."""
        low, high = sorted((self._root(first), self._root(second)), key=self._rank)
        if low != high:
            self._parents[high] = low
