"""The metrics of the Text Anonymization Benchmark (TAB): does masking the predictions protect the people in the text?

- A mention is masked if each of its readable characters is ignorable (see `ignorable`). Labels don't matter.
- An entity is masked if all of its mentions that need masking are masked. It needs masking if any mention does.
- Recall is the share of entities, of their mentions, or of the words in their mentions that is masked.
- Precision is Σ weight · annotators who agree ÷ Σ weight · annotators, over masks or the words in them. An annotator
  agrees if one of their mentions that need masking covers all of it.
- Several annotators of a document all count: numerators and denominators add up.

Differences from TAB: function words come from a list unless a tagger is given, information comes from a count of words
unless a model is given, and an annotator who marked nothing in a document counts as one who agrees with no mask there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from evaluation.spans.metrics.ignorable import Tagger, WordList
from evaluation.spans.metrics.masks import count_agreeing, hide, split_words, weigh
from evaluation.spans.metrics.mentions import Entities, Layers, Mentions, layer_documents, read_mentions
from evaluation.spans.metrics.segments import Ranges
from evaluation.spans.metrics.shares import Share
from evaluation.spans.metrics.texts import Texts
from evaluation.spans.metrics.weights import InformationModel, UniformModel, UnigramModel
from evaluation.spans.records import LabelledSpan
from evaluation.stats.bootstrap import Weights
from evaluation.stats.panel import Bools, Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class TabRecall:
    token_recall: Share
    mention_recall: Share
    entity_recall: Share


@dataclass(frozen=True, slots=True, eq=False)
class TabScores:
    """All as shares, with counts per document. The names of tagger and model are part of what the numbers mean."""

    token_recall: Share
    mention_recall: Share
    entity_recall: Share
    entity_recall_direct: Share
    entity_recall_quasi: Share
    token_precision: Share
    mention_precision: Share
    weighted_token_precision: Share
    weighted_mention_precision: Share
    by_type: Mapping[str, TabRecall]
    tagger: str
    weights: str

    def as_json(self, weights: Weights | None = None) -> dict[str, object]:
        by_type = {label: _shares_json(recall, weights) for label, recall in self.by_type.items()}
        return {**_shares_json(self, weights), "tagger": self.tagger, "weights": self.weights, "by_type": by_type}


def score_tab(
    gold: Sequence[Layers],
    predicted: Sequence[Sequence[LabelledSpan]],
    texts: Texts,
    *,
    tagger: Tagger | None = None,
    model: InformationModel | None = None,
) -> TabScores:
    """Score the layers of each document against its predictions."""
    tagger, model = tagger or WordList(), model or UnigramModel(texts.documents)
    masks, mask_documents = _read_masks(predicted, texts)
    mentions, entities = read_mentions(gold, texts)
    recall = _Recall(mentions, entities, masks, texts, tagger)
    precision = _Precision(mentions, layer_documents(gold), texts)
    words, spans = split_words(masks, texts)
    word_documents = mask_documents[spans]
    overall = recall.of(entities.needs_mask)
    return TabScores(
        token_recall=overall.token_recall,
        mention_recall=overall.mention_recall,
        entity_recall=overall.entity_recall,
        entity_recall_direct=recall.of(entities.is_direct).entity_recall,
        entity_recall_quasi=recall.of(entities.is_quasi & entities.needs_mask).entity_recall,
        token_precision=precision.of(words, word_documents, UniformModel()),
        mention_precision=precision.of(masks, mask_documents, UniformModel()),
        weighted_token_precision=precision.of(words, word_documents, model),
        weighted_mention_precision=precision.of(masks, mask_documents, model),
        by_type=recall.by_type(),
        tagger=tagger.name,
        weights=model.name,
    )


class _Recall:
    """What is masked, once, and then counted for any choice of entities."""

    def __init__(self, mentions: Mentions, entities: Entities, masks: Ranges, texts: Texts, tagger: Tagger) -> None:
        is_masked = hide(masks, mentions, texts, tagger)
        self._mentions, self._entities, self._height = mentions, entities, len(texts.documents)
        self._masked_mentions = is_masked((mentions.begins, mentions.ends))
        words, self._word_mentions = split_words((mentions.begins, mentions.ends), texts)
        self._masked_words = is_masked(words)
        readable = mentions.entities[mentions.needs_mask & ~self._masked_mentions]
        self._masked_entities = np.bincount(readable, minlength=len(entities.documents)) == 0

    def of(self, entities: Bools) -> TabRecall:
        mentions = entities[self._mentions.entities]
        words = mentions[self._word_mentions]
        word_documents = self._mentions.documents[self._word_mentions]
        return TabRecall(
            self._share(word_documents, words, self._masked_words),
            self._share(self._mentions.documents, mentions, self._masked_mentions),
            self._share(self._entities.documents, entities, self._masked_entities),
        )

    def by_type(self) -> dict[str, TabRecall]:
        names, needs_mask = self._entities.label_names, self._entities.needs_mask
        chosen = {name: needs_mask & (self._entities.labels == label) for label, name in enumerate(names)}
        return {name: self.of(entities) for name, entities in sorted(chosen.items()) if entities.any()}

    def _share(self, documents: Ints, rows: Bools, is_masked: Bools) -> Share:
        part, whole = (np.bincount(documents[chosen], minlength=self._height) for chosen in (rows & is_masked, rows))
        return Share(part.astype(np.float64), whole.astype(np.float64))


class _Precision:
    def __init__(self, mentions: Mentions, layers: Ints, texts: Texts) -> None:
        self._mentions, self._layers, self._texts = mentions, layers, texts
        self._height = len(texts.documents)
        self._annotators = np.bincount(layers, minlength=self._height)

    def of(self, masks: Ranges, documents: Ints, model: InformationModel) -> Share:
        weights = weigh(masks, documents, self._texts, model)
        agreeing = count_agreeing(masks, documents, self._mentions, self._layers, self._height)
        return Share(
            self._sum(documents, weights * agreeing), self._sum(documents, weights * self._annotators[documents])
        )

    def _sum(self, documents: Ints, amounts: Floats) -> Floats:
        return np.bincount(documents, amounts, self._height).astype(np.float64)


def _read_masks(predicted: Sequence[Sequence[LabelledSpan]], texts: Texts) -> tuple[Ranges, Ints]:
    rows = [(document, span.start, span.end) for document, spans in enumerate(predicted) for span in spans]
    documents, starts, ends = np.array(rows, np.int64).reshape(-1, 3).T
    offsets, lengths = texts.offsets[documents], texts.lengths[documents]
    return (offsets + np.minimum(starts, lengths), offsets + np.minimum(ends, lengths)), documents


def _shares_json(scores: TabScores | TabRecall, weights: Weights | None) -> dict[str, object]:
    shares = {field.name: getattr(scores, field.name) for field in fields(scores)}
    return {name: share.as_json(weights) for name, share in shares.items() if isinstance(share, Share)}
