"""What people decided to mean the same, followed through: if a is b and b is c, then a is c."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class Classes(Generic[K]):
    """Answers by a key under which spellings fall together already, such as the set of their words."""

    def __init__(
        self, key: Callable[[str], K], decided: Iterable[tuple[str, str]] = (), rank: Callable[[K], Any] = repr
    ) -> None:
        self._key, self._rank, self._above = key, rank, dict[K, K]()
        for one, other in decided:
            self._join(key(one), key(other))

    def of(self, text: str) -> K:
        """The key that stands for everything of the same meaning."""
        return self._top(self._key(text))

    def _top(self, key: K) -> K:
        while key in self._above:
            key = self._above[key]
        return key

    def _join(self, one: K, other: K) -> None:
        """The lower in rank stands for both, so that the order of decisions does not matter."""
        low, high = sorted((self._top(one), self._top(other)), key=self._rank)
        if low != high:
            self._above[high] = low
