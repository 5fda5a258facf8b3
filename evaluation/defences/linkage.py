"""Can a defended profile be matched to its original by its text alone?

Every defended profile is compared with the originals of all candidates: TF-IDF over words, cosine similarity, nearest
first. The attacker has the originals, so their words and document frequencies are those of the originals.

tf  = 1 + ln(how often the word occurs in the profile)
idf = ln((1 + candidates) ÷ (1 + candidates with the word)) + 1

Candidates that are equally near are in random order, so a profile may be found with a probability between 0 and 1.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.defences.words import words_of
from evaluation.stats.panel import Floats, Ints

TOP = 10
FREQUENT = 2000  # words whose part is a product of dense matrices; the others have few candidates each
CHUNK_SIZE = 250  # defended profiles that are compared at once
TOLERANCE = 1e-5  # similarities that differ by less are equal

Float32s = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Linkage:
    """For each defended profile: the probability that its original is the nearest, or among the ten nearest."""

    top1: Floats
    top10: Floats
    candidates: int


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """The words of some texts as parallel arrays, ordered by text: the text, the word, and its weight."""

    texts: Ints
    words: Ints
    weights: Float32s
    count: int

    def chosen(self, is_chosen: npt.NDArray[np.bool_]) -> "_Entries":
        return _Entries(self.texts[is_chosen], self.words[is_chosen], self.weights[is_chosen], self.count)

    def between(self, start: int, end: int) -> "_Entries":
        low, high = np.searchsorted(self.texts, [start, end])
        return _Entries(self.texts[low:high] - start, self.words[low:high], self.weights[low:high], end - start)


class Linker:
    """The originals, prepared once for all defences."""

    def __init__(self, originals: Sequence[Sequence[str]]) -> None:
        """From the words of each candidate."""
        counts = [Counter(words) for words in originals]
        frequencies = Counter(word for count in counts for word in count)
        # Frequent words first, so that a word is dense if its number is small.
        self._numbers = {word: number for number, (word, _) in enumerate(frequencies.most_common())}
        documents = np.array([count for _, count in frequencies.most_common()], np.float64)
        self._idf = np.log((1 + len(counts)) / (1 + documents)) + 1
        self.candidates = len(counts)
        self._dense_width = min(FREQUENT, len(self._numbers))
        entries = self._entries(counts)
        self._dense = self._dense_part(entries)
        self._rare = entries.chosen(entries.words >= self._dense_width)
        order = np.argsort(self._rare.words, kind="stable")
        self._postings = self._rare.texts[order], self._rare.weights[order]
        self._starts = np.searchsorted(self._rare.words[order], np.arange(len(self._numbers) + 1))

    def link(self, defended: Sequence[Sequence[str]], truth: Ints | None = None) -> Linkage:
        """From the words of each defended profile. `truth` is its original; without it, the one at the same place."""
        entries = self._entries([Counter(words) for words in defended])
        own = np.arange(len(defended)) if truth is None else truth
        shares = [np.empty((0, 2))]
        for start in range(0, len(defended), CHUNK_SIZE):
            end = min(start + CHUNK_SIZE, len(defended))
            shares.append(_found(self._similarities(entries.between(start, end)), own[start:end]))
        top1, top10 = np.concatenate(shares).T
        return Linkage(top1, top10, self.candidates)

    def _entries(self, counts: Sequence[Counter[str]]) -> _Entries:
        """With unit length for each text. Words that no original has are left out."""
        known = [[(self._numbers[word], n) for word, n in count.items() if word in self._numbers] for count in counts]
        sizes = np.array([len(row) for row in known], np.int64)
        flat = np.array([pair for row in known for pair in row], np.int64).reshape(-1, 2)
        texts = np.repeat(np.arange(len(counts)), sizes)
        weights = (1 + np.log(flat[:, 1])) * self._idf[flat[:, 0]]
        lengths = np.sqrt(np.bincount(texts, weights**2, len(counts)))
        return _Entries(texts, flat[:, 0], (weights / lengths[texts]).astype(np.float32), len(counts))

    def _dense_part(self, entries: _Entries) -> Float32s:
        dense = np.zeros((entries.count, self._dense_width), np.float32)
        frequent = entries.chosen(entries.words < self._dense_width)
        dense[frequent.texts, frequent.words] = frequent.weights
        return dense

    def _similarities(self, entries: _Entries) -> Float32s:
        similarities = self._dense_part(entries) @ self._dense.T
        rare = entries.chosen(entries.words >= self._dense_width)
        starts, ends = self._starts[rare.words], self._starts[rare.words + 1]
        sizes = ends - starts
        # The positions of all postings of all rare words, one word after another.
        positions = np.arange(sizes.sum()) + np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
        cells = np.repeat(rare.texts, sizes) * self.candidates + self._postings[0][positions]
        products = np.repeat(rare.weights, sizes) * self._postings[1][positions]
        more = np.bincount(cells, products, entries.count * self.candidates).reshape(similarities.shape)
        return similarities + more.astype(np.float32)


def _found(similarities: Float32s, own: Ints) -> Floats:
    """The probabilities that the own original is the nearest, and among the ten nearest."""
    mine = similarities[np.arange(len(own)), own][:, None]
    nearer = (similarities > mine + TOLERANCE).sum(axis=1)
    equal = (np.abs(similarities - mine) <= TOLERANCE).sum(axis=1)  # itself among them
    return np.stack([np.clip((top - nearer) / equal, 0.0, 1.0) for top in (1, TOP)], axis=1)


def link(originals: Sequence[str], defended: Sequence[str], truth: Sequence[int] | None = None) -> Linkage:
    """From texts: one string per profile. `originals` may have more profiles than were defended."""
    linker = Linker([words_of(text) for text in originals])
    return linker.link([words_of(text) for text in defended], None if truth is None else np.array(truth, np.int64))
