"""A detector's masks over the texts: which characters stay readable, and which masks the annotators agree with."""

from collections.abc import Callable, Sequence

import numpy as np

from evaluation.spans.metrics.ignorable import CHARACTERS, Tagger
from evaluation.spans.metrics.mentions import Mentions
from evaluation.spans.metrics.segments import Ranges
from evaluation.spans.metrics.texts import Texts
from evaluation.spans.metrics.weights import InformationModel, Place
from evaluation.stats.panel import Bools, Floats, Ints

IsMasked = Callable[[Ranges], Bools]


def split_words(ranges: Ranges, texts: Texts) -> tuple[Ranges, Ints]:
    """The words inside spans, and the span that each is in. A word that sticks out of its span is cut."""
    first, last = texts.words.touched(*ranges)
    counts = last - first
    spans = np.repeat(np.arange(len(counts)), counts)
    words = np.arange(len(spans)) + np.repeat(first - np.cumsum(counts) + counts, counts)
    begins = np.maximum(texts.words.starts[words], ranges[0][spans])
    ends = np.minimum(texts.words.ends[words], ranges[1][spans])
    return (begins, ends), spans


def hide(masks: Ranges, mentions: Mentions, texts: Texts, tagger: Tagger) -> IsMasked:
    """A test for spans: is every character of it masked or ignorable? Words are looked up only where it matters."""
    is_open = ~_cover(masks, len(texts.characters)) & ~texts.marks(CHARACTERS)
    rows = ~_is_closed(is_open)((mentions.begins, mentions.ends))
    for begin, end in _ignorable(mentions.only(rows), texts, tagger):
        is_open[begin:end] = False
    return _is_closed(is_open)


def count_agreeing(masks: Ranges, documents: Ints, mentions: Mentions, layer_documents: Ints, height: int) -> Ints:
    """For each mask, the annotators with a mention that needs masking and covers all of the mask."""
    agreeing = np.zeros(len(documents), np.int64)
    layers_by_document = _group(layer_documents, height)
    for rank in range(max(map(len, layers_by_document), default=0)):
        layer = np.array([layers[rank] if rank < len(layers) else -1 for layers in layers_by_document], np.int64)
        chosen = mentions.only(mentions.needs_mask & (layer[mentions.documents] == mentions.layers))
        agreeing += _inside(masks, (chosen.begins, chosen.ends))
    return agreeing


def weigh(masks: Ranges, documents: Ints, texts: Texts, model: InformationModel) -> Floats:
    """The information in each mask. Masks must be in the order of their documents."""
    weights = [model.weigh(texts.documents[document], places) for document, places in _places(masks, documents, texts)]
    return np.array([weight for document in weights for weight in document], np.float64)


def _cover(ranges: Ranges, size: int) -> Bools:
    steps = np.zeros(size + 1, np.int32)
    np.add.at(steps, ranges[0], 1)
    np.add.at(steps, ranges[1], -1)
    return np.cumsum(steps[:-1], dtype=np.int32) > 0


def _is_closed(is_open: Bools) -> IsMasked:
    opened = np.concatenate([np.zeros(1, np.int32), np.cumsum(is_open, dtype=np.int32)])
    return lambda ranges: opened[ranges[0]] == opened[ranges[1]]


def _ignorable(mentions: Mentions, texts: Texts, tagger: Tagger) -> list[Place]:
    return [
        (int(texts.offsets[document]) + start, int(texts.offsets[document]) + end)
        for document, places in _places((mentions.begins, mentions.ends), mentions.documents, texts)
        for start, end in tagger.ignorable(texts.documents[document], places)
    ]


def _places(ranges: Ranges, documents: Ints, texts: Texts) -> list[tuple[int, list[Place]]]:
    """Spans by document, counted from the beginning of its text."""
    offsets = texts.offsets[documents]
    places = list(zip((ranges[0] - offsets).tolist(), (ranges[1] - offsets).tolist(), strict=True))
    present, firsts = np.unique(documents, return_index=True)
    bounds = [*firsts.tolist(), len(places)]
    return [(document, places[bounds[i] : bounds[i + 1]]) for i, document in enumerate(present.tolist())]


def _inside(masks: Ranges, mentions: Ranges) -> Bools:
    """The masks that lie inside a single mention: of those that begin before it, one ends after it."""
    if not len(mentions[0]):
        return np.zeros(len(masks[0]), bool)
    order = np.argsort(mentions[0], kind="stable")
    reach = np.concatenate([[-1], np.maximum.accumulate(mentions[1][order])])
    return reach[np.searchsorted(mentions[0][order], masks[0], "right")] >= masks[1]


def _group(documents: Ints, height: int) -> Sequence[list[int]]:
    groups: list[list[int]] = [[] for _ in range(height)]
    for layer, document in enumerate(documents.tolist()):
        groups[document].append(layer)
    return groups
