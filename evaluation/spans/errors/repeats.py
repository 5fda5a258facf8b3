"""Strings that are annotated in one place and not in another. One walk over the words of all texts finds them.

The strings form a tree of words. From each word of a text the walk goes down the tree as far as the following words
lead, so the cost is that of the words and not that of the strings.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from evaluation.spans.metrics.texts import Texts
from evaluation.spans.metrics.weights import WORD

MIN_LENGTH = 4  # characters
MIN_ANNOTATED = 2  # places
MIN_SHARE = 0.5  # of its places in which a string must be annotated: the rest are rather oversights than another sense


class Annotation(NamedTuple):
    document: int
    start: int
    end: int
    label: str
    text: str


@dataclass(slots=True)
class _Node:
    children: dict[str, "_Node"] = field(default_factory=dict)
    strings: list[str] = field(default_factory=list)  # that end with this word; they differ between the words


@dataclass(slots=True)
class _Taken:
    """The annotated parts of a document, none of which overlap."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, start: int, end: int) -> None:
        """Spans must come in order of their starts."""
        if self.ends and start <= self.ends[-1]:
            self.ends[-1] = max(self.ends[-1], end)
        else:
            self.starts.append(start)
            self.ends.append(end)

    def overlaps(self, start: int, end: int) -> bool:
        index = bisect_left(self.starts, end)
        return index > 0 and self.ends[index - 1] > start


@dataclass(frozen=True, slots=True)
class _Page:
    """A document's text, its words, and what is annotated."""

    text: str
    words: list[str]
    taken: _Taken

    def longest(self, tree: _Node, index: int, start: int) -> str:
        """The longest string that begins with this word and overlaps no annotation, or nothing."""
        longest, node = "", tree.children.get(self.words[index])
        while node:
            for string in node.strings:
                if self.text.startswith(string, start) and not self.taken.overlaps(start, start + len(string)):
                    longest = string
            index += 1
            node = node.children.get(self.words[index]) if index < len(self.words) else None
        return longest


def find_repeats(annotations: Sequence[Annotation], texts: Texts) -> Iterator[tuple[Annotation, str]]:
    """Places where an annotated string occurs as whole words, in the same case, outside all annotations.

    `annotations` are in order of documents and starts. Of several strings at one place, the longest counts.
    """
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    taken: dict[int, _Taken] = defaultdict(_Taken)
    for annotation in annotations:
        labels[annotation.text][annotation.label] += 1
        taken[annotation.document].add(annotation.start, annotation.end)
    annotated = {text: counts.total() for text, counts in labels.items()}
    tree = _plant(text for text, count in annotated.items() if count >= MIN_ANNOTATED and _is_telling(text))
    places = list(_walk(tree, taken, texts))
    unlabelled = Counter(text for _, _, text in places)
    for document, start, text in places:
        count, rest = annotated[text], unlabelled[text]
        if count >= MIN_SHARE * (count + rest):
            label = labels[text].most_common(1)[0][0]
            reason = f"The same string is annotated in {count} places, but not here ({rest} such places)."
            yield Annotation(document, start, start + len(text), label, text), reason


def _is_telling(text: str) -> bool:
    """Long enough, with words at both ends."""
    return len(text) >= MIN_LENGTH and bool(WORD.match(text[0]) and WORD.match(text[-1]))


def _plant(strings: Iterator[str]) -> _Node:
    root = _Node()
    for text in strings:
        node = root
        for word in WORD.findall(text):
            node = node.children.setdefault(word, _Node())
        node.strings.append(text)
    return root


def _walk(tree: _Node, taken: dict[int, _Taken], texts: Texts) -> Iterator[tuple[int, int, str]]:
    """Yield document, start and string of each place that isn't annotated."""
    bounds = np.searchsorted(texts.words.starts, texts.offsets).tolist()
    bounds.append(len(texts.words.starts))
    for document, text in enumerate(texts.documents):
        page = _Page(text, WORD.findall(text), taken[document])
        candidates = [index for index, word in enumerate(page.words) if word in tree.children]
        places = texts.words.starts[bounds[document] + np.array(candidates, np.int64)] - texts.offsets[document]
        reached = 0
        for index, start in zip(candidates, places.tolist(), strict=True):
            string = "" if start < reached else page.longest(tree, index, start)
            if string:
                reached = start + len(string)
                yield document, start, string
