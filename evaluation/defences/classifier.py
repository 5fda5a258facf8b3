"""Does a classifier of subreddits that learned from originals still work on defended text?

Multinomial naive Bayes over words with add-one smoothing. Profiles are dealt to five folds; the comments of a fold are
classified by what was learned from the originals of the other four and of profiles that are never classified, so nobody
is recognised by their own words. Only subreddits in which at least five profiles write are classes, and only their
comments count.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.stats.panel import Bools, Floats, Ints

FOLDS = 5
MIN_PROFILES = 5  # that write in a subreddit
CHUNK_SIZE = 20_000  # words that are looked up at once

Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class ClassifiedComment:
    """The index of the profile, the subreddit, and the words of the original."""

    profile: int
    subreddit: str
    words: Words


@dataclass(frozen=True, slots=True, eq=False)
class Classification:
    """`rows` are the comments that count, as indices; `is_right` has one row per version, the originals first."""

    rows: Ints
    is_right: Bools
    classes: int


def classify(
    comments: Sequence[ClassifiedComment], versions: Sequence[Mapping[int, Words]], rng: np.random.Generator,
    others: Sequence[ClassifiedComment] = (),
) -> Classification | None:  # fmt: skip
    """`versions` have the words of the comments that a defence changed, by index. `others` are only learned from.

    None if fewer than two subreddits have enough profiles, or nobody who is classified writes in one of them.
    """
    names = _classes([*comments, *others])
    rows = np.array([at for at, comment in enumerate(comments) if comment.subreddit in names], np.int64)
    if len(names) < 2 or not len(rows):
        return None
    texts = [comments[at].words for at in rows]
    lessons = _Lessons.of([*(comments[at] for at in rows), *others], names)
    labels = lessons.labels[: len(rows)]
    folds = _folds(np.array([comments[at].profile for at in rows], np.int64), rng)
    is_right = np.zeros((1 + len(versions), len(rows)), bool)
    changed = [{at: version[row] for at, row in enumerate(rows.tolist()) if row in version} for version in versions]
    for fold in range(FOLDS):
        tested = np.flatnonzero(folds == fold)
        model = _Model.learn(lessons, tested)
        is_right[:, tested] = model.classify([texts[at] for at in tested]) == labels[tested]
        for number, version in enumerate(changed, start=1):
            places = np.array([at for at in tested.tolist() if at in version], np.int64)
            is_right[number, places] = model.classify([version[at] for at in places.tolist()]) == labels[places]
    return Classification(rows, is_right, len(names))


def _classes(comments: Sequence[ClassifiedComment]) -> dict[str, int]:
    writers = defaultdict[str, set[int]](set)
    for comment in comments:
        writers[comment.subreddit].add(comment.profile)
    names = sorted(name for name, profiles in writers.items() if len(profiles) >= MIN_PROFILES)
    return {name: number for number, name in enumerate(names)}


def _folds(profiles: Ints, rng: np.random.Generator) -> Ints:
    """The fold of each comment: profiles are shuffled and dealt in turn."""
    distinct, units = np.unique(profiles, return_inverse=True)
    dealt = rng.permutation(len(distinct)) % FOLDS
    return dealt[units].astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Lessons:
    """All comments to learn from, with their words as numbers: counted once, for all folds."""

    numbers: Mapping[str, int]
    labels: Ints  # the class of each comment
    words: Ints  # the words of all comments, one comment after another
    owners: Ints  # the comment of each word
    classes: int

    @classmethod
    def of(cls, comments: Sequence[ClassifiedComment], names: Mapping[str, int]) -> "_Lessons":
        known = [comment for comment in comments if comment.subreddit in names]
        numbers: dict[str, int] = {}
        words = [numbers.setdefault(word, len(numbers)) for comment in known for word in comment.words]
        sizes = np.array([len(comment.words) for comment in known], np.int64)
        labels = np.array([names[comment.subreddit] for comment in known], np.int64)
        owners = np.repeat(np.arange(len(known)), sizes)
        return cls(numbers, labels, np.array(words, np.int64), owners, len(names))


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    numbers: Mapping[str, int]
    priors: Floats
    likelihoods: Floats  # of the logarithm, a row per word and a column per class

    @classmethod
    def learn(cls, lessons: _Lessons, tested: Ints) -> "_Model":
        """From all comments but those that are tested."""
        is_learned = np.ones(len(lessons.labels), bool)
        is_learned[tested] = False
        chosen, classes = is_learned[lessons.owners], lessons.classes
        cells = lessons.words[chosen] * classes + lessons.labels[lessons.owners[chosen]]
        shape = len(lessons.numbers), classes
        counts: Floats = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
        is_known = counts.any(axis=1)
        counts[is_known] += 1
        totals = np.log(np.maximum(counts.sum(axis=0), 1.0))
        likelihoods = np.zeros_like(counts)  # a word that wasn't learned says nothing
        likelihoods[is_known] = np.log(counts[is_known]) - totals
        priors = np.log(np.bincount(lessons.labels[is_learned], minlength=classes) + 1.0)
        return cls(lessons.numbers, priors, likelihoods)

    def classify(self, texts: Sequence[Words]) -> Ints:
        """The most likely class of each. Words that were not learned say nothing."""
        known = [[self.numbers[word] for word in words if word in self.numbers] for words in texts]
        sizes = np.array([len(row) for row in known], np.int64)
        scores = np.tile(self.priors, (len(texts), 1))
        owners = np.repeat(np.arange(len(texts)), sizes)
        words = np.array([number for row in known for number in row], np.int64)
        for start in range(0, len(words), CHUNK_SIZE):
            part = slice(start, start + CHUNK_SIZE)
            present, places = np.unique(owners[part], return_index=True)
            scores[present] += np.add.reduceat(self.likelihoods[words[part]], places, axis=0)
        classes: Ints = scores.argmax(axis=1)
        return classes
