"""How much information a masked token carries: the rarer, the more.

TAB weighs by −log of the probability that BERT gives a token in its context, and calls a mask over several tokens as
informative as the least probable of them. Any model with a name and `weigh` can take its place. Ours counts words.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

WORD = re.compile(r"\w+")
Place = tuple[int, int]  # start and end in a text


class InformationModel(Protocol):
    @property
    def name(self) -> str:
        """What the report calls the weights."""
        ...

    def weigh(self, text: str, places: Sequence[Place]) -> Sequence[float]:
        """The information in each place of the text: 0 if it holds no token."""
        ...


class UniformModel:
    """Every token counts the same."""

    name = "uniform"

    def weigh(self, text: str, places: Sequence[Place]) -> Sequence[float]:
        return [1.0] * len(places)


class UnigramModel:
    """−log p of a word, where p is its share of the corpus, with one added to every count. Case doesn't matter."""

    name = "unigram"

    def __init__(self, texts: Iterable[str]) -> None:
        self._counts = Counter[str]()
        for text in texts:
            self._counts.update(WORD.findall(text.lower()))
        self._total = self._counts.total() + len(self._counts) + 1  # the 1 is for all words that never occur

    def weigh(self, text: str, places: Sequence[Place]) -> Sequence[float]:
        return [self._information(text[start:end]) for start, end in places]

    def _information(self, passage: str) -> float:
        counts = [self._counts[word] for word in WORD.findall(passage.lower())]
        return math.log(self._total / (min(counts) + 1)) if counts else 0.0
