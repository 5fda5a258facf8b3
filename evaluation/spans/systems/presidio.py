"""Presidio over documents, with everything that determines its results in a recipe."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from evaluation.spans.labels import LabelScheme
from evaluation.spans.records import ONLY_LAYER, Document, LabelledSpan, Problem, ProblemKind, SpanFile
from evaluation.spans.systems import parts
from evaluation.spans.systems.cache import DetectionCache, text_hash
from evaluation.spans.systems.parts import Part, split_document
from evaluation.spans.systems.pool import Detected, detect_texts
from profiles.detection.presidio import Analyser, model_for, stock_contents
from profiles.detection.recipes import Contents
from profiles.detection.spacy_models import named_model
from profiles.spans import EntitySpan

FORMAT = "presidio"
VERSION = 1  # of the rules in this package: another one is another recipe
UNKNOWN = "Presidio has no {kind} named {names}. It has: {known}."
NOTHING_MAPPED = "The label scheme “{scheme}” maps none of Presidio's entities. Name them with --entities, or use all."

ShowProgress = Callable[[int, int], None]


class RecipeUnusable(Exception):
    """No such recipe can be built. The message says why."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that determines the detections in a document."""

    contents: Contents
    parts: str = parts.RULE
    version: int = VERSION

    @property
    def digest(self) -> str:
        fields = [self.contents.to_json(), self.parts, self.version]
        return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()

    def details(self) -> dict[str, str]:
        """What a prediction file says about its maker."""
        return {
            "recipe": self.digest,
            "title": self.contents.title,
            "recognisers": ", ".join(self.contents.recognisers),
            "entities": ", ".join(self.contents.entities),
            "threshold": f"{self.contents.threshold:g}",
            "parts": self.parts,
        }


def build_recipe(
    model: str | None = None,
    *,
    recognisers: Collection[str] | None = None,
    entities: Collection[str] | None = None,
    threshold: float = 0.0,
) -> Recipe:
    """A recipe as stock Presidio has it, or with fewer recognisers or entities.

    Raises RecipeUnusable or ModelMissing.
    """
    stock = stock_contents(named_model(model) if model else model_for("en"))
    return Recipe(
        replace(
            stock,
            recognisers=_choose("recognisers", recognisers, stock.recognisers),
            entities=_choose("entities", entities, stock.entities),
            threshold=threshold,
        )
    )


def keep_mapped(recipe: Recipe, scheme: LabelScheme, gold_labels: Collection[str] = ()) -> Recipe:
    """The recipe without entities that can't match: those that neither the scheme nor the gold knows.

    Raises RecipeUnusable.
    """
    targets = {*scheme.mapping.values(), *scheme.branches, *map(scheme.mapped, gold_labels)}
    mapped = tuple(entity for entity in recipe.contents.entities if scheme.mapped(entity) in targets)
    if not mapped:
        raise RecipeUnusable(NOTHING_MAPPED.format(scheme=scheme.name))
    return replace(recipe, contents=replace(recipe.contents, entities=mapped))


def _choose(kind: str, names: Collection[str] | None, known: tuple[str, ...]) -> tuple[str, ...]:
    if names is None:
        return known
    unknown = sorted({*names} - {*known})
    if unknown or not names:
        raise RecipeUnusable(UNKNOWN.format(kind=kind, names=", ".join(unknown) or "“”", known=", ".join(known)))
    return tuple(sorted({*names}))


def detect_spans(
    texts: Mapping[str, str],
    recipe: Recipe,
    *,
    workers: int = 1,
    cache: Path | None = None,
    show: ShowProgress = lambda done, total: None,
) -> SpanFile:
    """Detect in all texts, by document id. What the cache folder has is not detected again.

    Without workers, this process does it. Documents that no model can read become problems.
    Raises ModelMissing, CacheUnusable or WorkersDied.
    """
    run = _Run(texts)
    with ExitStack() as stack:
        store = stack.enter_context(DetectionCache(cache, recipe.digest)) if cache else None
        run.work(recipe, store, workers, show)
    return SpanFile(run.documents(), FORMAT, "", problems=tuple(run.problems), details=recipe.details())


class _Run:
    """Documents as parts, and what was detected in each part. Equal parts are detected once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.parts = {document: list(split_document(text)) for document, text in texts.items()}
        self.spans: dict[str, tuple[EntitySpan, ...]] = {}
        self.reasons: dict[str, str] = {}
        self.problems: list[Problem] = []

    @cached_property
    def keys(self) -> dict[str, str]:
        """The hash of each part's text."""
        return {part.text: text_hash(part.text) for document in self.parts.values() for part in document}

    def work(self, recipe: Recipe, store: DetectionCache | None, workers: int, show: ShowProgress) -> None:
        self._recall(store)
        todo = {key: text for text, key in self.keys.items() if key not in self.spans}
        if not todo:
            return
        done, total = 0, sum(map(len, todo.values()))
        show(0, total)
        with closing(detect_texts(todo, Analyser(recipe.contents), workers)) as results:
            for detected in results:
                self._keep(detected, store)
                done += len(todo[detected.key])
                show(done, total)

    def _recall(self, store: DetectionCache | None) -> None:
        known = {key: store.get(key) for key in self.keys.values()} if store else {}
        self.spans = {key: spans for key, spans in known.items() if spans is not None}

    def _keep(self, detected: Detected, store: DetectionCache | None) -> None:
        """Failures are not stored, so that the next run tries again."""
        if detected.reason:
            self.reasons[detected.key] = detected.reason
            return
        self.spans[detected.key] = detected.spans
        if store:
            store.add(detected.key, detected.spans)

    def documents(self) -> dict[str, Document]:
        """The documents all of whose parts were read. The others become problems."""
        documents = {}
        for document, document_parts in self.parts.items():
            reason = next(filter(None, (self.reasons.get(self.keys[part.text]) for part in document_parts)), "")
            if reason:
                self.problems.append(Problem(ProblemKind.NOT_ANALYSED, document, reason))
            else:
                spans = tuple(span for part in document_parts for span in self._spans_of(part))
                documents[document] = Document(document, {ONLY_LAYER: spans})
        return documents

    def _spans_of(self, part: Part) -> Iterable[LabelledSpan]:
        for span in self.spans[self.keys[part.text]]:
            yield LabelledSpan(part.offset + span.start, part.offset + span.end, span.entity_type, span.score)
