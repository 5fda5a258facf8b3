"""Run Presidio on comments, at the speed of the model itself. The only module that knows Presidio.

Presidio and spaCy take seconds to import, so the first analyser imports them, not this module. The module groups
Presidio's recognisers by what they need to see, runs their patterns with a timeout first, and keeps tldextract offline
(ADR 13).
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from profiles.detection.limits import PatternClock, TimedPatterns, TooSlow, UnreadableText, check_readable
from profiles.detection.pace import Pacer
from profiles.detection.recipes import Contents, Model
from profiles.detection.spacy_models import ModelMissing, default_contents, installed_models, model_for
from profiles.spans import EntitySpan

if TYPE_CHECKING:
    from presidio_analyzer import (
        AnalyzerEngine,
        EntityRecognizer,
        PatternRecognizer,
        RecognizerRegistry,
        RecognizerResult,
    )
    from presidio_analyzer.nlp_engine import SpacyNlpEngine
    from spacy.language import Language

__all__ = [
    "Analyser",
    "ModelMissing",
    "ScreenedText",
    "TooSlow",
    "UnreadableText",
    "default_contents",
    "installed_models",
    "model_for",
    "stock_contents",
]

NOT_IN_RECIPE = "The recipe has no model for “{language}”."
BATCH_SIZE = 64  # texts that go through the whole pipeline together


@dataclass(frozen=True, slots=True)
class ScreenedText:
    """A text whose patterns were searched in time, and what is left to do with it."""

    text: str
    needs_pipeline: bool  # because the words around a detection may raise its score
    matched: "list[PatternRecognizer]"  # those without context words


class Analyser:
    """One recipe in one language. Building it takes a second or two, once per process."""

    def __init__(self, contents: Contents, language: str = "en") -> None:
        self._contents, self.pacer = contents, Pacer()
        self._request: dict[str, Any] = {
            "language": language,
            "entities": list(contents.all_entities),
            "score_threshold": contents.threshold,
            "context": list(contents.context),
        }
        self._load()

    def _load(self) -> None:
        from profiles.detection import ner, pipeline  # noqa: PLC0415 spaCy: a second that only analysers pay

        language: str = self._request["language"]
        self._pipeline, self.nlp = pipeline, pipeline.load(_model(self._contents, language))
        self.engine = _engine(self._contents, language, self.nlp)
        self._groups = _RecogniserGroups(self.engine, self._request)
        is_quick = self._groups.is_complete and ner.can_run_alone(self.nlp)
        self.entity_finder = ner.EntityFinder(self.nlp, self.pacer) if is_quick else None

    def analyse(self, texts: Sequence[str]) -> list[list[EntitySpan]]:
        """Return the same as `analyse_plainly` for each text, in a fraction of the time."""
        return self.detect([self.screen(text) for text in texts])

    def screen(self, text: str) -> ScreenedText:
        """Do what is done text by text: check it, and search its patterns. Raises TooSlow or UnreadableText."""
        check_readable(text, self.nlp.max_length)
        clock = PatternClock()
        if self.entity_finder is None or self._groups.depends_on_context(text, clock):
            self._groups.check_patterns(text, clock)
            return ScreenedText(text, True, [])
        return ScreenedText(text, False, self._groups.matched_patterns(text, clock))

    def detect(self, screened: Sequence[ScreenedText]) -> list[list[EntitySpan]]:
        """Do what is faster for many texts together."""
        if self._pipeline.needs_reload(self.nlp):
            self._load()
        detections: list[list[EntitySpan]] = [[] for _ in screened]
        with self._pipeline.bounded_vocabulary(self.nlp):
            for needs_pipeline, detect in ((True, self._analyse_fully), (False, self._analyse_quickly)):
                positions = [at for at, text in enumerate(screened) if text.needs_pipeline == needs_pipeline]
                for at, spans in zip(positions, detect([screened[at] for at in positions]), strict=True):
                    detections[at] = spans
        return detections

    def analyse_plainly(self, text: str) -> list[EntitySpan]:
        """Run stock Presidio, one text at a time. Sorted by start, end and type."""
        check_readable(text, self.nlp.max_length)
        self._groups.check_patterns(text, PatternClock())
        with self._pipeline.bounded_vocabulary(self.nlp):
            return _to_spans(self.engine.analyze(text, **self._request))

    def _analyse_fully(self, screened: list[ScreenedText]) -> list[list[EntitySpan]]:
        """Run the whole pipeline, because the words around a detection affect its score."""
        engine: SpacyNlpEngine = self.engine.nlp_engine
        texts = [item.text for item in screened]
        batch = engine.process_batch(texts, self._request["language"], batch_size=BATCH_SIZE)
        spans = []
        for text, artifacts in batch:
            spans.append(_to_spans(self.engine.analyze(text, nlp_artifacts=artifacts, **self._request)))
            self.pacer.rest_if_others_wait()
        return spans

    def _analyse_quickly(self, screened: list[ScreenedText]) -> list[list[EntitySpan]]:
        """Run the entity recogniser alone, and patterns where they match."""
        labels, score = self._groups.labels, self._groups.score
        if not labels or self.entity_finder is None:
            named = [list[EntitySpan]() for _ in screened]
        else:
            named = [
                [EntitySpan(start, end, labels[label], score) for label, start, end in entities if label in labels]
                for entities in self.entity_finder.find([item.text for item in screened])
            ]
        return [self._groups.add_patterns(item, spans) for item, spans in zip(screened, named, strict=True)]


class _RecogniserGroups:
    """The recognisers of a recipe, grouped by what they need to see of a text."""

    def __init__(self, engine: "AnalyzerEngine", request: dict[str, Any]) -> None:
        import regex  # noqa: PLC0415 as above
        from presidio_analyzer import PatternRecognizer  # noqa: PLC0415

        self.entities, self.threshold = request["entities"], request["score_threshold"]
        active = engine.registry.get_recognizers(language=request["language"], entities=self.entities)
        self.phones: list[Any] = [item for item in active if type(item).__name__ == "PhoneRecognizer"]
        self.emails = [item for item in active if type(item).__name__ == "EmailRecognizer"]
        spacys = [item for item in active if type(item).__name__ == "SpacyRecognizer"]
        own = [item for item in active if isinstance(item, PatternRecognizer) and item not in self.emails]
        self.with_context = [item for item in own if item.context]
        self.without_context = [item for item in own if not item.context]
        self.timed = {item: TimedPatterns(item, regex.compile) for item in [*self.emails, *own]}
        self.is_complete = len(self.phones) + len(self.emails) + len(spacys) + len(own) == len(active)
        self._read_labels(engine, spacys)

    def _read_labels(self, engine: "AnalyzerEngine", spacys: "list[EntityRecognizer]") -> None:
        """Map the requested labels of spaCy to Presidio's names. A label without a name keeps its own."""
        naming = engine.nlp_engine.ner_model_configuration
        requested = {name for item in spacys for name in item.supported_entities} & set(self.entities)
        nlp = engine.nlp_engine.nlp[engine.supported_languages[0]]
        named = {
            label: naming.model_to_presidio_entity_mapping.get(label, label) for label in nlp.pipe_labels.get("ner", [])
        }
        self.score: float = naming.default_score
        self.labels = {
            label: name
            for label, name in named.items()
            if name in requested and not {label, name} & set(naming.labels_to_ignore) and self.score >= self.threshold
        }

    def depends_on_context(self, text: str, clock: PatternClock) -> bool:
        """Whether the text contains something whose score the words around it may raise."""
        from profiles.detection.phones import contains_number  # noqa: PLC0415 phonenumbers: only analysers need it

        return any(contains_number(text, phone.supported_regions, phone.leniency) for phone in self.phones) or any(
            self.timed[recogniser].matches(text, clock) for recogniser in self.with_context
        )

    def check_patterns(self, text: str, clock: PatternClock) -> None:
        """Raises TooSlow if the patterns of all recognisers together take too long."""
        for timed in self.timed.values():
            timed.matches(text, clock)

    def matched_patterns(self, text: str, clock: PatternClock) -> "list[PatternRecognizer]":
        """Recognisers without context words that match.

        E-mail addresses belong here: they need an @ and already have the highest score, which no context can raise.
        """
        relevant = [*self.without_context, *(self.emails if "@" in text else ())]
        return [item for item in relevant if self.timed[item].matches(text, clock)]

    def add_patterns(self, screened: ScreenedText, spans: list[EntitySpan]) -> list[EntitySpan]:
        results = [result for item in screened.matched for result in item.analyze(screened.text, self.entities)]
        return self._merge(spans, results) if results else spans

    def _merge(self, spans: list[EntitySpan], results: "list[RecognizerResult]") -> list[EntitySpan]:
        from presidio_analyzer import EntityRecognizer  # noqa: PLC0415 as above

        everything = [_to_result(span) for span in spans] + results
        kept = [result for result in everything if result.score >= self.threshold]
        return _to_spans(EntityRecognizer.remove_duplicates(kept))


def _model(contents: Contents, language: str) -> Model:
    for model in contents.models:
        if model.language == language:
            return model
    raise ModelMissing(NOT_IN_RECIPE.format(language=language))


def stock_contents(model: Model) -> Contents:
    """All recognisers and entities that a stock AnalyzerEngine has for the model's language, by name."""
    import spacy  # noqa: PLC0415 as above

    _silence()
    registry = _stock_registry(model.language, _spacy_engine(model.language, spacy.blank(model.language)))
    return replace(
        default_contents(),
        models=(model,),
        recognisers=tuple(sorted({item.name for item in registry.recognizers})),
        entities=tuple(sorted({entity for item in registry.recognizers for entity in item.supported_entities})),
    )


def _engine(contents: Contents, language: str, nlp: "Language") -> "AnalyzerEngine":
    """Stock Presidio with the recipe's recognisers. It gets a loaded model, so it never looks for one."""
    _silence()
    from presidio_analyzer import AnalyzerEngine  # noqa: PLC0415 as above

    spacy_engine = _spacy_engine(language, nlp)
    registry = _stock_registry(language, spacy_engine)
    stock = [item for item in registry.recognizers if item.name in contents.recognisers]
    registry.recognizers = stock + _custom_recognisers(contents, language)
    _keep_offline()
    return AnalyzerEngine(registry=registry, nlp_engine=spacy_engine, supported_languages=[language])


def _spacy_engine(language: str, nlp: "Language") -> "SpacyNlpEngine":
    _silence()
    from presidio_analyzer.nlp_engine import (  # noqa: PLC0415 as above
        NerModelConfiguration,
        NlpEngineProvider,
        SpacyNlpEngine,
    )

    defaults = NlpEngineProvider().nlp_configuration["ner_model_configuration"]
    spacy_engine = SpacyNlpEngine(ner_model_configuration=NerModelConfiguration.from_dict(defaults))
    spacy_engine.nlp = {language: nlp}
    return spacy_engine


def _silence() -> None:
    """Presidio logs the device when it is imported, and then every recogniser that it skips."""
    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)


def _stock_registry(language: str, spacy_engine: "SpacyNlpEngine") -> "RecognizerRegistry":
    from presidio_analyzer import RecognizerRegistry  # noqa: PLC0415 as above

    registry = RecognizerRegistry(supported_languages=[language])
    registry.load_predefined_recognizers(languages=[language], nlp_engine=spacy_engine)
    return registry


def _custom_recognisers(contents: Contents, language: str) -> "list[PatternRecognizer]":
    from presidio_analyzer import Pattern, PatternRecognizer  # noqa: PLC0415 as above

    return [
        PatternRecognizer(
            supported_entity=pattern.entity_type,
            name=pattern.name,
            supported_language=language,
            patterns=[Pattern(pattern.name, pattern.regex, pattern.score)],
            context=list(pattern.context),
        )
        for pattern in contents.patterns
    ] + [
        PatternRecognizer(
            supported_entity=words.entity_type,
            name=words.name,
            supported_language=language,
            deny_list=list(words.words),
        )
        for words in contents.word_lists
    ]


def _keep_offline() -> None:
    """Presidio asks tldextract whether the domain of an e-mail exists; stop it from fetching its list."""
    import tldextract.tldextract as module  # noqa: PLC0415 as above

    module.TLD_EXTRACTOR = module.TLDExtract(cache_dir=None, suffix_list_urls=())


def _to_spans(results: "list[RecognizerResult]") -> list[EntitySpan]:
    spans = [EntitySpan(result.start, result.end, result.entity_type, result.score) for result in results]
    return sorted(spans, key=lambda span: (span.start, span.end, span.entity_type))


def _to_result(span: EntitySpan) -> "RecognizerResult":
    from presidio_analyzer import RecognizerResult  # noqa: PLC0415 as above

    return RecognizerResult(span.entity_type, span.start, span.end, span.score)
