"""What is left of a text: characters and words kept, and ROUGE-L, as counts that add up over comments and profiles.

characters = characters of the words that are kept ÷ characters of the original's words
words      = words of the original that the defended text still has, in any order ÷ words of the original
ROUGE-L    = 2 L ÷ (words of the original + words of the defended text), where L is the length of the longest common
             subsequence of words, comment by comment

Tags are no words.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evaluation.defences.words import words_of


class Utility(NamedTuple):
    """Counts of one or more comments: what the original has, what is kept of it, and the longest common part."""

    characters: int = 0
    characters_kept: int = 0
    words: int = 0
    words_kept: int = 0
    common: int = 0
    defended_words: int = 0


def unchanged_utility(words: Sequence[str]) -> Utility:
    """Of a comment that stays as it is."""
    characters, count = sum(map(len, words)), len(words)
    return Utility(characters, characters, count, count, count, count)


def measure_utility(words: Sequence[str], defended: Sequence[str]) -> Utility:
    """Of one comment, from its words before and after."""
    kept = Counter(words) & Counter(defended)
    return Utility(
        sum(map(len, words)), sum(len(word) * count for word, count in kept.items()), len(words), kept.total(),
        common_length(words, defended), len(defended),
    )  # fmt: skip


def compare_texts(original: str, defended: str) -> Utility:
    return measure_utility(words_of(original), words_of(defended))


def add_up(counts: Iterable[Utility]) -> Utility:
    return Utility(*(sum(column) for column in zip(*counts, strict=True)))


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence: a bit for each word of the first (Hyyrö 2004).

    What both begin and end with is common anyway, and left out of the search.
    """
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end] == second[-1 - end]:
        end += 1
    middle = first[start : len(first) - end], second[start : len(second) - end]
    return start + end + _common_bits(*middle)


def _common_bits(first: Sequence[str], second: Sequence[str]) -> int:
    places: dict[str, int] = {}
    for at, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << at
    everything = (1 << len(first)) - 1
    rows = everything
    for word in second:
        matched = rows & places.get(word, 0)
        rows = ((rows + matched) | (rows - matched)) & everything
    return len(first) - rows.bit_count()
