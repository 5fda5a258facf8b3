"""What may stay readable in a mention that counts as masked: function words, titles, spaces and punctuation.

TAB takes the words that spaCy tags as adpositions, particles, coordinating conjunctions or determiners. Here they come
from a closed list of English words, which needs no model. A tagger of your own does it TAB's way.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from evaluation.spans.metrics.weights import Place

CHARACTERS = " ,.-;:/&()[]–'\"’“”"  # TAB's
TITLES = "mr mrs ms no nr about"  # TAB's, whatever their part of speech
ADPOSITIONS = """
    aboard above across after against along alongside amid amidst among amongst around as at before behind below beneath
    beside besides between beyond by despite down during for from in inside into like near of off on onto opposite out
    outside over past per round since through throughout till to toward towards under underneath until unto up upon via
    with within without
"""
PARTICLES = "not to"  # and the possessive 's
CONJUNCTIONS = "and but nor or plus yet"
DETERMINERS = (
    "a all an another any both each either every half neither no some such that the these this those what which"
)
FUNCTION_WORDS = frozenset(f"{TITLES} {ADPOSITIONS} {PARTICLES} {CONJUNCTIONS} {DETERMINERS}".split())


class Tagger(Protocol):
    @property
    def name(self) -> str:
        """What the report calls it."""
        ...

    def ignorable(self, text: str, mentions: Sequence[Place]) -> Iterable[Place]:
        """Places in these mentions that may stay readable. A tagger that needs context has the whole text."""
        ...


class WordList:
    """Whole words from a list, whatever their case, and the s after an apostrophe."""

    def __init__(self, words: Iterable[str] = FUNCTION_WORDS, name: str = "english-function-words") -> None:
        self.name = name
        longest_first = sorted(words, key=lambda word: (-len(word), word))
        self._pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b|(?<=['’])s\b", re.IGNORECASE)

    def ignorable(self, text: str, mentions: Sequence[Place]) -> Iterable[Place]:
        for start, end in mentions:
            for word in self._pattern.finditer(text[start:end]):
                yield start + word.start(), start + word.end()
