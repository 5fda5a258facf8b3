"""Gold mentions and the entities that they belong to, as TAB annotates them, in columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.spans.metrics.texts import Texts
from evaluation.spans.records import LabelledSpan
from evaluation.stats.panel import Bools, Ints

DIRECT, NO_MASK = "DIRECT", "NO_MASK"
Layers = Mapping[str, Sequence[LabelledSpan]]


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """One row per mention. `layers` numbers the pairs of a document and an annotator."""

    documents: Ints
    layers: Ints
    entities: Ints
    begins: Ints  # positions in all texts
    ends: Ints
    needs_mask: Bools

    def only(self, rows: Bools) -> "Mentions":
        documents, layers, entities = self.documents[rows], self.layers[rows], self.entities[rows]
        return Mentions(documents, layers, entities, self.begins[rows], self.ends[rows], self.needs_mask[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Entities:
    """One row per entity of a layer. Type and identifier are those of its first mention, as in TAB.

    An entity needs a mask if any of its mentions does. `is_quasi` is false for gold without identifier types.
    """

    documents: Ints
    labels: Ints
    is_direct: Bools
    is_quasi: Bools
    needs_mask: Bools
    label_names: tuple[str, ...]


def read_mentions(gold: Sequence[Layers], texts: Texts) -> tuple[Mentions, Entities]:
    """A mention without an entity id is an entity of its own; one without an identifier type needs a mask."""
    rows, firsts = _read_rows(gold)
    documents, layers, entities, starts, ends, needs_mask = np.array(rows, np.int64).reshape(-1, 6).T
    offsets, lengths = texts.offsets[documents], texts.lengths[documents]
    begins, stops = (offsets + np.minimum(side, lengths) for side in (starts, ends))
    mentions = Mentions(documents, layers, entities, begins, stops, needs_mask.astype(bool))
    return mentions, _describe(mentions, firsts)


def _read_rows(gold: Sequence[Layers]) -> tuple[list[tuple[int, ...]], list[tuple[int, LabelledSpan]]]:
    """The columns of each mention, and the document and first mention of each entity."""
    rows: list[tuple[int, ...]] = []
    firsts: list[tuple[int, LabelledSpan]] = []
    for layer, (document, spans) in enumerate(_each_layer(gold)):
        known: dict[str, int] = {}
        for span in spans:
            entity = known.get(span.entity, len(firsts))
            if entity == len(firsts):
                firsts.append((document, span))
            if span.entity:
                known[span.entity] = entity
            rows.append((document, layer, entity, span.start, span.end, span.identifier != NO_MASK))
    return rows, firsts


def _each_layer(gold: Sequence[Layers]) -> list[tuple[int, Sequence[LabelledSpan]]]:
    return [(document, spans) for document, layers in enumerate(gold) for spans in layers.values()]


def _describe(mentions: Mentions, firsts: Sequence[tuple[int, LabelledSpan]]) -> Entities:
    names: dict[str, int] = {}
    labels = np.array([names.setdefault(span.label, len(names)) for _, span in firsts], np.int64)
    is_direct = np.array([span.identifier == DIRECT for _, span in firsts], bool)
    is_named = np.array([span.identifier != "" for _, span in firsts], bool)
    needs_mask = np.bincount(mentions.entities[mentions.needs_mask], minlength=len(firsts)) > 0
    documents = np.array([document for document, _ in firsts], np.int64)
    return Entities(documents, labels, is_direct, is_named & ~is_direct, needs_mask, tuple(names))


def layer_documents(gold: Sequence[Layers]) -> Ints:
    """The document of each layer, in the order in which `Mentions.layers` numbers them."""
    return np.repeat(np.arange(len(gold)), [len(layers) for layers in gold])
