"""Bring gold and predictions together: the same documents, the same labels, and nothing left out in silence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from evaluation.spans.labels import LabelScheme
from evaluation.spans.records import ONLY_LAYER, Document, LabelledSpan, Problem, ProblemKind, SpanFile, in_file_order

NO_PREDICTIONS = Document(id="", layers={ONLY_LAYER: ()})
NO_LAYERS: Mapping[str, tuple[LabelledSpan, ...]] = {ONLY_LAYER: ()}


class MissingPolicy(StrEnum):
    """What a gold document without predictions means."""

    COUNT = "count"  # nothing was detected in it: all its spans are missed
    SKIP = "skip"  # nobody looked at it: it is not scored


@dataclass(frozen=True, slots=True)
class AlignedDocument:
    """A document of both sides, with mapped labels. `gold` has a layer for each annotator, and at least one."""

    id: str
    text: str | None
    gold: Mapping[str, tuple[LabelledSpan, ...]]
    predicted: tuple[LabelledSpan, ...]

    @property
    def all_gold(self) -> tuple[LabelledSpan, ...]:
        return in_file_order(self.gold)


@dataclass(frozen=True, slots=True)
class Alignment:
    documents: tuple[AlignedDocument, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def annotators(self) -> tuple[str, ...]:
        """Everybody who annotated a document, in order of appearance."""
        return tuple(dict.fromkeys(name for document in self.documents for name in document.gold))

    @property
    def shared_documents(self) -> int:
        """How many documents have several annotators."""
        return sum(len(document.gold) > 1 for document in self.documents)

    @property
    def has_texts(self) -> bool:
        return bool(self.documents) and all(document.text is not None for document in self.documents)


def scored_ids(gold: SpanFile, systems: Sequence[SpanFile], missing: MissingPolicy) -> list[str]:
    """The documents that all systems are scored on, in the order of the gold file."""
    if missing == MissingPolicy.COUNT:
        return [*gold.documents]
    return [name for name in gold.documents if all(name in system.documents for system in systems)]


def align(gold: SpanFile, predictions: SpanFile, scheme: LabelScheme, ids: Sequence[str] | None = None) -> Alignment:
    """Pair documents by id. Predictions for documents without gold can't be scored."""
    names = gold.documents if ids is None else ids
    documents = (_aligned(gold.documents[name], predictions.documents.get(name), scheme) for name in names)
    return Alignment(tuple(documents), tuple(_one_sided(gold, predictions)))


def _aligned(gold: Document, predicted: Document | None, scheme: LabelScheme) -> AlignedDocument:
    other = predicted or NO_PREDICTIONS
    return AlignedDocument(
        gold.id,
        other.text if gold.text is None else gold.text,
        {name: _mapped(spans, scheme) for name, spans in gold.layers.items()} or NO_LAYERS,
        _mapped(other.all_spans, scheme),
    )


def _mapped(spans: tuple[LabelledSpan, ...], scheme: LabelScheme) -> tuple[LabelledSpan, ...]:
    mapping = scheme.mapping
    return tuple(replace(span, label=mapping[span.label]) if span.label in mapping else span for span in spans)


def _one_sided(gold: SpanFile, predictions: SpanFile) -> Iterator[Problem]:
    for name in gold.documents:
        if name not in predictions.documents:
            yield Problem(ProblemKind.ONLY_IN_GOLD, name)
    for name in predictions.documents:
        if name not in gold.documents:
            yield Problem(ProblemKind.ONLY_IN_PREDICTIONS, name)
