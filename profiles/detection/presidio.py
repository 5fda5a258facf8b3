"""Run Presidio on comments, at the speed of the model itself. The only module that knows Presidio.

Presidio and spaCy take seconds to import: they are imported by the first analyser, not by this module. It sorts
Presidio's recognisers by what they need to see, replaces their compiled patterns by ones with a timeout, and keeps
tldextract offline (ADR 13).
"""

import logging
from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from profiles.detection.limits import TimedPattern, TooSlow, UnreadableText, check_readable
from profiles.detection.recipes import Contents, Model
from profiles.detection.spacy_models import ModelMissing, default_contents, installed_models, model_for
from profiles.spans import EntitySpan

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, EntityRecognizer, PatternRecognizer, RecognizerResult
    from presidio_analyzer.nlp_engine import SpacyNlpEngine
    from spacy.language import Language

__all__ = [
    "Analyser",
    "ModelMissing",
    "TooSlow",
    "UnreadableText",
    "default_contents",
    "installed_models",
    "model_for",
]

NOT_IN_RECIPE = "The recipe has no model for “{language}”."
BATCH_SIZE = 64  # texts that go through the whole pipeline together


class Analyser:
    """One recipe in one language. Building it takes a second or two, once per process."""

    def __init__(self, contents: Contents, language: str = "en") -> None:
        self._contents = contents
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
        self.entity_finder = ner.EntityFinder(self.nlp) if is_quick else None

    def analyse(self, texts: Sequence[str]) -> list[list[EntitySpan]]:
        """The same as `analyse_plainly` for each text, in a fraction of the time."""
        check_readable(texts, self.nlp.max_length)
        if self._pipeline.needs_reload(self.nlp):
            self._load()
        detections: list[list[EntitySpan]] = [[] for _ in texts]
        with self._pipeline.bounded_vocabulary(self.nlp):
            slow = [at for at, text in enumerate(texts) if self._needs_pipeline(text)]
            quick = sorted(set(range(len(texts))).difference(slow))
            for positions, analyse in ((slow, self._analyse_fully), (quick, self._analyse_quickly)):
                for at, spans in zip(positions, analyse([texts[at] for at in positions]), strict=True):
                    detections[at] = spans
        return detections

    def _needs_pipeline(self, text: str) -> bool:
        return self.entity_finder is None or self._groups.depends_on_context(text)

    def analyse_plainly(self, text: str) -> list[EntitySpan]:
        """Run stock Presidio, one text at a time. Sorted by start, end and type."""
        check_readable([text], self.nlp.max_length)
        with self._pipeline.bounded_vocabulary(self.nlp):
            return _to_spans(self.engine.analyze(text, **self._request))

    def _analyse_fully(self, texts: list[str]) -> list[list[EntitySpan]]:
        """Run the whole pipeline, because the words around a detection count."""
        engine: SpacyNlpEngine = self.engine.nlp_engine
        batch = engine.process_batch(texts, self._request["language"], batch_size=BATCH_SIZE)
        return [
            _to_spans(self.engine.analyze(text, nlp_artifacts=artifacts, **self._request)) for text, artifacts in batch
        ]

    def _analyse_quickly(self, texts: list[str]) -> list[list[EntitySpan]]:
        """Run the entity recogniser alone, and patterns where they match."""
        labels, score = self._groups.labels, self._groups.score
        if not labels or self.entity_finder is None:
            named = [list[EntitySpan]() for _ in texts]
        else:
            named = [
                [EntitySpan(start, end, labels[label], score) for label, start, end in entities if label in labels]
                for entities in self.entity_finder.find(texts)
            ]
        return [self._groups.add_patterns(text, spans) for text, spans in zip(texts, named, strict=True)]


class _RecogniserGroups:
    """The recognisers of a recipe, grouped by what they need to see of a text."""

    def __init__(self, engine: "AnalyzerEngine", request: dict[str, Any]) -> None:
        from presidio_analyzer import PatternRecognizer  # noqa: PLC0415 as above

        self.entities, self.threshold = request["entities"], request["score_threshold"]
        active = engine.registry.get_recognizers(language=request["language"], entities=self.entities)
        self.phones: list[Any] = [item for item in active if type(item).__name__ == "PhoneRecognizer"]
        self.emails = [item for item in active if type(item).__name__ == "EmailRecognizer"]
        spacys = [item for item in active if type(item).__name__ == "SpacyRecognizer"]
        own = [item for item in active if isinstance(item, PatternRecognizer) and item not in self.emails]
        self.with_context = [item for item in own if item.context]
        self.without_context = [item for item in own if not item.context]
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

    def depends_on_context(self, text: str) -> bool:
        """Whether the text contains something whose score the words around it may raise."""
        from profiles.detection.phones import contains_number  # noqa: PLC0415 phonenumbers: only analysers need it

        return any(contains_number(text, phone.supported_regions, phone.leniency) for phone in self.phones) or any(
            _matches(recogniser, text) for recogniser in self.with_context
        )

    def add_patterns(self, text: str, spans: list[EntitySpan]) -> list[EntitySpan]:
        """An e-mail address needs an @ and has the highest score already: words around it cannot raise it."""
        matched = [item for item in self.without_context if _matches(item, text)]
        if self.emails and "@" in text:
            matched += self.emails
        results = [result for item in matched for result in item.analyze(text, self.entities)]
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


def _engine(contents: Contents, language: str, nlp: "Language") -> "AnalyzerEngine":
    """Stock Presidio with the recipe's recognisers. It gets the model from us, so it never looks for one."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry  # noqa: PLC0415 as above
    from presidio_analyzer.nlp_engine import (  # noqa: PLC0415
        NerModelConfiguration,
        NlpEngineProvider,
        SpacyNlpEngine,
    )

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)  # it logs every recogniser that it skips
    defaults = NlpEngineProvider().nlp_configuration["ner_model_configuration"]
    spacy_engine = SpacyNlpEngine(ner_model_configuration=NerModelConfiguration.from_dict(defaults))
    spacy_engine.nlp = {language: nlp}
    registry = RecognizerRegistry(supported_languages=[language])
    registry.load_predefined_recognizers(languages=[language], nlp_engine=spacy_engine)
    stock = [item for item in registry.recognizers if item.name in contents.recognisers]
    registry.recognizers = stock + _custom_recognisers(contents, language)
    _keep_offline()
    _add_timeouts(registry.recognizers)
    return AnalyzerEngine(registry=registry, nlp_engine=spacy_engine, supported_languages=[language])


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


def _add_timeouts(recognisers: "list[EntityRecognizer]") -> None:
    import regex  # noqa: PLC0415 as above

    for recogniser in recognisers:
        patterns = [copy(pattern) for pattern in getattr(recogniser, "patterns", ())]
        for pattern in patterns:
            pattern.compiled_with_flags = recogniser.global_regex_flags
            compiled = regex.compile(pattern.regex, pattern.compiled_with_flags)
            pattern.compiled_regex = TimedPattern(recogniser.name, compiled)
        if patterns:
            recogniser.patterns = patterns


def _keep_offline() -> None:
    """Presidio asks tldextract whether the domain of an e-mail exists; stop it from fetching its list."""
    import tldextract.tldextract as module  # noqa: PLC0415 as above

    module.TLD_EXTRACTOR = module.TLDExtract(cache_dir=None, suffix_list_urls=())


def _matches(recogniser: "PatternRecognizer", text: str) -> bool:
    return any(pattern.compiled_regex.matches(text) for pattern in recogniser.patterns)


def _to_spans(results: "list[RecognizerResult]") -> list[EntitySpan]:
    spans = [EntitySpan(result.start, result.end, result.entity_type, result.score) for result in results]
    return sorted(spans, key=lambda span: (span.start, span.end, span.entity_type))


def _to_result(span: EntitySpan) -> "RecognizerResult":
    from presidio_analyzer import RecognizerResult  # noqa: PLC0415 as above

    return RecognizerResult(span.entity_type, span.start, span.end, span.score)
