"""The answers on one attribute, turned into ratings on a panel."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.stats.panel import MISSING, Ints, Panel
from evaluation.stats.ratings import Ratings


@dataclass(frozen=True, slots=True)
class Answers:
    """One element per judgement: `values` are indices into `texts`, `rows` and `columns` positions on the panel."""

    panel: Panel
    rows: Ints
    columns: Ints
    values: Ints
    texts: Sequence[str]

    def encode(self, code_of: Callable[[str], int]) -> Ints:
        """Encode each distinct text once. An empty answer has no code."""
        used = np.flatnonzero(np.bincount(self.values, minlength=len(self.texts)))
        codes = np.full(len(self.texts), MISSING, np.int64)
        codes[used] = [code_of(self.texts[index]) if self.texts[index] else MISSING for index in used.tolist()]
        return codes[self.values]

    def lay_out(self, codes: Ints) -> Ints:
        return self.panel.lay_out((self.rows, self.columns), codes)

    def ratings(self, code_of: Callable[[str], int], size: int) -> Ratings:
        return Ratings(self.lay_out(self.encode(code_of)), size)

    def ratings_by_key(self, key_of: Callable[[str], Hashable | None]) -> Ratings:
        """Answers with the same key get the same code. Answers whose key is None are left out."""
        codes_by_key: dict[Hashable, int] = {}
        codes = self.encode(lambda text: _code(key_of(text), codes_by_key))
        return Ratings(self.lay_out(codes), max(len(codes_by_key), 1))


def _code(key: Hashable | None, codes_by_key: dict[Hashable, int]) -> int:
    return MISSING if key is None else codes_by_key.setdefault(key, len(codes_by_key))
