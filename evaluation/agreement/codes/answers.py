"""The answers of one attribute, as they are laid out in a panel, turned into questions."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.stats.panel import NOBODY, Ints, Panel
from evaluation.stats.questions import Question


@dataclass(frozen=True, slots=True)
class Answers:
    """`said` is the place in `texts` of each judgement's value; `rows` and `seats` are where it stands in the panel."""

    panel: Panel
    rows: Ints
    seats: Ints
    said: Ints
    texts: Sequence[str]

    def coded(self, code_of: Callable[[str], int]) -> Ints:
        """Each text is looked at once, however often it was said. Nothing said has no code."""
        used = np.flatnonzero(np.bincount(self.said, minlength=len(self.texts)))
        codes = np.full(len(self.texts), NOBODY, np.int64)
        codes[used] = [code_of(self.texts[at]) if self.texts[at] else NOBODY for at in used.tolist()]
        return codes[self.said]

    def laid_out(self, codes: Ints) -> Ints:
        return self.panel.codes((self.rows, self.seats), codes)

    def question(self, code_of: Callable[[str], int], size: int) -> Question:
        return Question(self.laid_out(self.coded(code_of)), size)

    def by_key(self, key_of: Callable[[str], Hashable | None]) -> Question:
        """Answers with one key are the same; None is left out."""
        numbers: dict[Hashable, int] = {}
        codes = self.coded(lambda text: _numbered(key_of(text), numbers))
        return Question(self.laid_out(codes), max(len(numbers), 1))


def _numbered(key: Hashable | None, numbers: dict[Hashable, int]) -> int:
    return NOBODY if key is None else numbers.setdefault(key, len(numbers))
