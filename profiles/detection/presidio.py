"""What Presidio finds in comments, at the speed of the model itself. The only module that knows Presidio.

Presidio and spaCy take seconds to import: they come with the first analyser, not with this module.
"""

import logging
from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from profiles.detection.limits import NotReadable, Timed, TooSlow, refuse_unreadable
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
    "NotReadable",
    "TooSlow",
    "default_contents",
    "installed_models",
    "model_for",
]

AT_ONCE = 64  # texts that go through the whole pipeline together


class Analyser:
    """One recipe in one language. Building it takes a second or two: once a process."""

    def __init__(self, contents: Contents, language: str = "en") -> None:
        self._contents = contents
        self._asked: dict[str, Any] = {
            "language": language,
            "entities": list(contents.all_entities),
            "score_threshold": contents.threshold,
            "context": list(contents.context),
        }
        self._load()

    def _load(self) -> None:
        from profiles.detection import ner, pipeline  # noqa: PLC0415 spaCy: a second that only analysers pay

        language: str = self._asked["language"]
        self._pipeline, self.nlp = pipeline, pipeline.load(_model(self._contents, language))
        self.engine = _engine(self._contents, language, self.nlp)
        self._division = _Division(self.engine, self._asked)
        self.names = ner.Names(self.nlp) if self._division.is_complete and ner.runs_alone(self.nlp) else None

    def analyse(self, texts: Sequence[str]) -> list[list[EntitySpan]]:
        """For each text the same as `analyse_plainly`, in a fraction of the time."""
        refuse_unreadable(texts, self.nlp.max_length)
        if self._pipeline.is_worn(self.nlp):
            self._load()
        found: list[list[EntitySpan]] = [[] for _ in texts]
        with self._pipeline.forgetting(self.nlp):
            whole = {at for at, text in enumerate(texts) if self.names is None or self._division.depends_on_words(text)}
            rest = [at for at in range(len(texts)) if at not in whole]
            for places, way in ((sorted(whole), self._in_full), (rest, self._quickly)):
                for at, result in zip(places, way([texts[at] for at in places]), strict=True):
                    found[at] = result
        return found

    def analyse_plainly(self, text: str) -> list[EntitySpan]:
        """As Presidio does it, one text at a time. Sorted by start, end and type."""
        refuse_unreadable([text], self.nlp.max_length)
        with self._pipeline.forgetting(self.nlp):
            return _sorted(self.engine.analyze(text, **self._asked))

    def _in_full(self, texts: list[str]) -> list[list[EntitySpan]]:
        """Through the whole pipeline, for the words around a finding."""
        engine: SpacyNlpEngine = self.engine.nlp_engine
        batch = engine.process_batch(texts, self._asked["language"], batch_size=AT_ONCE)
        return [_sorted(self.engine.analyze(text, nlp_artifacts=read, **self._asked)) for text, read in batch]

    def _quickly(self, texts: list[str]) -> list[list[EntitySpan]]:
        """The entity recogniser alone, and patterns where they match."""
        labels, score = self._division.labels, self._division.score
        if not labels or self.names is None:
            named = [list[EntitySpan]() for _ in texts]
        else:
            named = [
                [EntitySpan(start, end, labels[label], score) for label, start, end in one if label in labels]
                for one in self.names.find(texts)
            ]
        return [self._division.with_patterns(text, found) for text, found in zip(texts, named, strict=True)]


class _Division:
    """Who finds what: the recognisers of a recipe by what they need to see of a text."""

    def __init__(self, engine: "AnalyzerEngine", asked: dict[str, Any]) -> None:
        from presidio_analyzer import PatternRecognizer  # noqa: PLC0415 as above

        self.entities, self.threshold = asked["entities"], asked["score_threshold"]
        active = engine.registry.get_recognizers(language=asked["language"], entities=self.entities)
        self.phones: list[Any] = [one for one in active if type(one).__name__ == "PhoneRecognizer"]
        self.emails = [one for one in active if type(one).__name__ == "EmailRecognizer"]
        spacys = [one for one in active if type(one).__name__ == "SpacyRecognizer"]
        own = [one for one in active if isinstance(one, PatternRecognizer) and one not in self.emails]
        self.with_context, self.without = [one for one in own if one.context], [one for one in own if not one.context]
        self.is_complete = len(self.phones) + len(self.emails) + len(spacys) + len(own) == len(active)
        self._read_labels(engine, spacys)

    def _read_labels(self, engine: "AnalyzerEngine", spacys: "list[EntityRecognizer]") -> None:
        """spaCy's labels as Presidio names them, those that are asked for. One without a name keeps its own."""
        naming = engine.nlp_engine.ner_model_configuration
        wanted = {name for one in spacys for name in one.supported_entities} & set(self.entities)
        nlp = engine.nlp_engine.nlp[engine.supported_languages[0]]
        named = {
            label: naming.model_to_presidio_entity_mapping.get(label, label) for label in nlp.pipe_labels.get("ner", [])
        }
        self.score: float = naming.default_score
        self.labels = {
            label: name
            for label, name in named.items()
            if name in wanted and not {label, name} & set(naming.labels_to_ignore) and self.score >= self.threshold
        }

    def depends_on_words(self, text: str) -> bool:
        """Whether something is found whose score words around it may raise."""
        from profiles.detection.phones import holds_number  # noqa: PLC0415 phonenumbers: only analysers need it

        return any(holds_number(text, one.supported_regions, one.leniency) for one in self.phones) or any(
            _matches(one, text) for one in self.with_context
        )

    def with_patterns(self, text: str, found: list[EntitySpan]) -> list[EntitySpan]:
        """An e-mail address needs an @, and has the highest score already: words around it cannot raise it."""
        matched = [one for one in self.without if _matches(one, text)]
        if self.emails and "@" in text:
            matched += self.emails
        results = [result for one in matched for result in one.analyze(text, self.entities)]
        return self._together(found, results) if results else found

    def _together(self, found: list[EntitySpan], results: "list[RecognizerResult]") -> list[EntitySpan]:
        from presidio_analyzer import EntityRecognizer  # noqa: PLC0415 as above

        everything = [_result(span) for span in found] + results
        kept = [one for one in everything if one.score >= self.threshold]
        return _sorted(EntityRecognizer.remove_duplicates(kept))


def _model(contents: Contents, language: str) -> Model:
    for model in contents.models:
        if model.language == language:
            return model
    raise ModelMissing(f"The recipe has no model for “{language}”.")


def _engine(contents: Contents, language: str, nlp: "Language") -> "AnalyzerEngine":
    """Presidio as it comes, with the recipe's recognisers. It gets the model from us, so it never looks for one."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry  # noqa: PLC0415 as above
    from presidio_analyzer.nlp_engine import (  # noqa: PLC0415
        NerModelConfiguration,
        NlpEngineProvider,
        SpacyNlpEngine,
    )

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)  # it tells of every recogniser that it does not take
    defaults = NlpEngineProvider().nlp_configuration["ner_model_configuration"]
    spacy_engine = SpacyNlpEngine(ner_model_configuration=NerModelConfiguration.from_dict(defaults))
    spacy_engine.nlp = {language: nlp}
    registry = RecognizerRegistry(supported_languages=[language])
    registry.load_predefined_recognizers(languages=[language], nlp_engine=spacy_engine)
    theirs = [one for one in registry.recognizers if one.name in contents.recognisers]
    registry.recognizers = theirs + _own(contents, language)
    _stay_offline()
    _watch_the_clock(registry.recognizers)
    return AnalyzerEngine(registry=registry, nlp_engine=spacy_engine, supported_languages=[language])


def _own(contents: Contents, language: str) -> "list[PatternRecognizer]":
    from presidio_analyzer import Pattern, PatternRecognizer  # noqa: PLC0415 as above

    return [
        PatternRecognizer(
            supported_entity=one.entity_type,
            name=one.name,
            supported_language=language,
            patterns=[Pattern(one.name, one.regex, one.score)],
            context=list(one.context),
        )
        for one in contents.patterns
    ] + [
        PatternRecognizer(
            supported_entity=one.entity_type, name=one.name, supported_language=language, deny_list=list(one.words)
        )
        for one in contents.word_lists
    ]


def _watch_the_clock(recognisers: "list[EntityRecognizer]") -> None:
    import regex  # noqa: PLC0415 as above

    for recogniser in recognisers:
        patterns = [copy(pattern) for pattern in getattr(recogniser, "patterns", ())]
        for pattern in patterns:
            pattern.compiled_with_flags = recogniser.global_regex_flags
            pattern.compiled_regex = Timed(recogniser.name, regex.compile(pattern.regex, pattern.compiled_with_flags))
        if patterns:
            recogniser.patterns = patterns


def _stay_offline() -> None:
    """Presidio asks tldextract whether an e-mail's domain exists; it would fetch its list from the network."""
    import tldextract.tldextract as module  # noqa: PLC0415 as above

    module.TLD_EXTRACTOR = module.TLDExtract(cache_dir=None, suffix_list_urls=())


def _matches(recogniser: "PatternRecognizer", text: str) -> bool:
    return any(pattern.compiled_regex.matches(text) for pattern in recogniser.patterns)


def _sorted(results: "list[RecognizerResult]") -> list[EntitySpan]:
    spans = [EntitySpan(result.start, result.end, result.entity_type, result.score) for result in results]
    return sorted(spans, key=lambda span: (span.start, span.end, span.entity_type))


def _result(span: EntitySpan) -> "RecognizerResult":
    from presidio_analyzer import RecognizerResult  # noqa: PLC0415 as above

    return RecognizerResult(span.entity_type, span.start, span.end, span.score)
