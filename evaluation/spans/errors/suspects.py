"""Gold spans that a person should look at again: annotation errors as they are usually found, by comparing and by eye.

A suspicion is no verdict. None of them changes a score.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from evaluation.spans.errors.cues import DATE_LABELS, DEMOGRAPHIC_LABELS, LIFE_EVENTS, PROCEDURAL_CUES
from evaluation.spans.errors.excerpts import excerpt
from evaluation.spans.errors.repeats import Annotation, find_repeats
from evaluation.spans.metrics.mentions import Layers
from evaluation.spans.metrics.texts import Texts
from evaluation.spans.metrics.weights import WORD

SUSPECT_LIMIT = 200  # of each kind
CUE_LENGTH = 40  # characters before a date in which its phrase is looked for
USUAL_SHARE = 0.8  # of its places in which a string has its usual label; so there are at least 5


class SuspectKind(StrEnum):
    UNLABELLED = "unlabelled"  # annotated elsewhere, but not here
    ADMINISTRATIVE_DATE = "administrative_date"
    LABELS_DIFFER = "labels_differ"  # between annotators, for the same span
    UNUSUAL_LABEL = "unusual_label"  # the same string usually has another one
    LIFE_EVENT = "life_event"  # with a demographic label


@dataclass(frozen=True, slots=True)
class Suspect:
    kind: SuspectKind
    document: str
    start: int
    end: int
    label: str
    reason: str
    before: str = ""
    text: str = ""
    after: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Suspects:
    """`counts` are complete, `items` are limited for each kind."""

    counts: Mapping[SuspectKind, int]
    items: tuple[Suspect, ...]

    def as_json(self) -> dict[str, Any]:
        """What goes into the report; the items quote texts and don't."""
        return {"counts": {kind.value: count for kind, count in self.counts.items()}}


Suspicion = tuple[Annotation, str]  # and the reason


def find_suspects(
    names: Sequence[str], gold: Sequence[Layers], texts: Texts, *, limit: int = SUSPECT_LIMIT
) -> Suspects:
    """`names` are those of the documents. Spans that several annotators marked alike are looked at once."""
    annotations = list(_annotations(gold, texts.documents))
    suspicions = {
        SuspectKind.UNLABELLED: list(find_repeats(annotations, texts)),
        SuspectKind.ADMINISTRATIVE_DATE: list(_administrative_dates(annotations, texts.documents)),
        SuspectKind.LABELS_DIFFER: list(_different_labels(gold)),
        SuspectKind.UNUSUAL_LABEL: list(_unusual_labels(annotations)),
        SuspectKind.LIFE_EVENT: list(_life_events(annotations)),
    }
    items = (
        _suspect(kind, names, texts.documents, suspicion)
        for kind, members in suspicions.items()
        for suspicion in islice(members, limit)
    )
    return Suspects({kind: len(members) for kind, members in suspicions.items()}, tuple(items))


def _suspect(kind: SuspectKind, names: Sequence[str], texts: Sequence[str], suspicion: Suspicion) -> Suspect:
    (document, start, end, label, _), reason = suspicion
    quote = excerpt(texts[document], start, end)
    return Suspect(kind, names[document], start, end, label, reason, quote.before, quote.text, quote.after)


def _annotations(gold: Sequence[Layers], texts: Sequence[str]) -> Iterator[Annotation]:
    """All spans of all annotators, the same span and label once."""
    for document, (layers, text) in enumerate(zip(gold, texts, strict=True)):
        distinct = {(span.start, span.end, span.label) for layer in layers.values() for span in layer}
        for start, end, label in sorted(distinct):
            yield Annotation(document, start, end, label, text[start:end])


def _administrative_dates(annotations: Iterable[Annotation], texts: Sequence[str]) -> Iterator[Suspicion]:
    for annotation in annotations:
        if annotation.label in DATE_LABELS:
            before = texts[annotation.document][max(annotation.start - CUE_LENGTH, 0) : annotation.start]
            words = f" {' '.join(before.lower().split())}".removesuffix(" the")
            if words.endswith(PROCEDURAL_CUES):
                cue = next(cue for cue in PROCEDURAL_CUES if words.endswith(cue))
                yield annotation, f"The date follows “{cue.strip()}”, so it may belong to the procedure."


def _different_labels(gold: Sequence[Layers]) -> Iterator[Suspicion]:
    """One suspicion for each span, under its rarest label."""
    for document, layers in enumerate(gold):
        labels: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
        for layer in layers.values() if len(layers) > 1 else ():
            for start, end, label in {(span.start, span.end, span.label) for span in layer}:
                labels[start, end][label] += 1
        for (start, end), votes in sorted(labels.items()):
            if len(votes) > 1:
                ranked = sorted(votes.items(), key=lambda entry: (-entry[1], entry[0]))
                listing = ", ".join(f"{label} ({count})" for label, count in ranked)
                yield (
                    Annotation(document, start, end, ranked[-1][0], ""),
                    f"Annotators disagree on the label: {listing}.",
                )


def _unusual_labels(annotations: Sequence[Annotation]) -> Iterator[Suspicion]:
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for annotation in annotations:
        labels[annotation.text][annotation.label] += 1
    usual = {text: (*counts.most_common(1)[0], counts.total()) for text, counts in labels.items() if len(counts) > 1}
    for annotation in annotations:
        label, count, total = usual.get(annotation.text, (annotation.label, 0, 0))
        if label != annotation.label and count >= USUAL_SHARE * total:
            yield annotation, f"The same string is labelled {label} in {count} of {total} places."


def _life_events(annotations: Iterable[Annotation]) -> Iterator[Suspicion]:
    for annotation in annotations:
        if annotation.label in DEMOGRAPHIC_LABELS:
            events = [word for word in WORD.findall(annotation.text.lower()) if word in LIFE_EVENTS]
            if events:
                yield annotation, f"“{events[0]}” is an event in a life, not a demographic trait."
