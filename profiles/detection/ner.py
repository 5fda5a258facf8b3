"""Run spaCy's entity recogniser alone: the results of the whole pipeline in a fraction of the time (ADR 13).

From the other components, it only uses sentence starts: an entity must not cross one. So it runs alone first; if it
finds an entity of several words, the parser decides whether a sentence starts inside; and only then does the
recogniser run again, with the sentences known. Amounts and times in lower case and digits, such as “two years ago” or
“30 000”, skip the parser: their parts are not names either. (Skipping all entities without punctuation or a line break
would save a little more, but is wrong for “I am Muslims Zoë Müller Sydney”.)
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span

from profiles.detection.pace import Pacer

MAX_DOCS, MAX_TOKENS = 64, 1500  # per batch; a larger one does not fit into the processor’s cache
IRRELEVANT_PIPES = {"tagger", "morphologizer", "attribute_ruler", "lemmatizer", "trainable_lemmatizer"}
SENTENCE_PIPES = {"tok2vec", "parser", "senter"}
AMOUNTS = {"DATE", "TIME", "CARDINAL", "ORDINAL", "MONEY", "PERCENT", "QUANTITY"}
LOWER_CASE = re.compile("[a-z0-9]+(?: [a-z0-9]+)*")


class NamedEntity(NamedTuple):
    label: str
    start: int
    end: int


class EntityFinder:
    """Finds the same entities as the whole pipeline."""

    def __init__(self, nlp: Language, pacer: Pacer) -> None:
        before = nlp.pipe_names[: nlp.pipe_names.index("ner")]
        self.nlp, self.ner, self.pacer = nlp, nlp.get_pipe("ner"), pacer
        self.sentences = [nlp.get_pipe(name) for name in before if name in SENTENCE_PIPES]
        self.texts = self.parsed = self.repeated = 0

    def find(self, texts: Sequence[str]) -> list[list[NamedEntity]]:
        docs = [self.nlp.make_doc(text) for text in texts]
        for batch in _batches(docs):
            self._recognise(batch)
            self.pacer.rest_if_others_wait()
        suspicious = [doc for doc in docs if any(len(entity) > 1 and _may_contain_names(entity) for entity in doc.ents)]
        for batch in _batches(suspicious):
            self._respect_sentences(batch)
            self.pacer.rest_if_others_wait()
        self.texts, self.parsed = self.texts + len(texts), self.parsed + len(suspicious)
        return [[NamedEntity(entity.label_, entity.start_char, entity.end_char) for entity in doc.ents] for doc in docs]

    def _recognise(self, docs: list[Doc]) -> None:
        self.ner.set_annotations(docs, self.ner.predict(docs))  # type: ignore[attr-defined]

    def _respect_sentences(self, docs: list[Doc]) -> None:
        for pipe in self.sentences:
            pipe.set_annotations(docs, pipe.predict(docs))  # type: ignore[attr-defined]
        again = [doc for doc in docs if _crosses_sentence(doc)]
        for doc in again:
            doc.set_ents([], default="missing")
        if again:
            self._recognise(again)
        self.repeated += len(again)


def can_run_alone(nlp: Language) -> bool:
    """Whether the recogniser needs no other component. In models that share a transformer, for example, it does."""
    if "ner" not in nlp.pipe_names:
        return False
    before = set(nlp.pipe_names[: nlp.pipe_names.index("ner")])
    nodes = nlp.get_pipe("ner").model.walk()  # type: ignore[attr-defined]
    return before <= SENTENCE_PIPES | IRRELEVANT_PIPES and not any("istener" in type(node).__name__ for node in nodes)


def _batches(docs: list[Doc]) -> Iterator[list[Doc]]:
    """Group texts of similar length, so that none waits for a longer one."""
    batch: list[Doc] = []
    tokens = 0
    for doc in sorted((doc for doc in docs if len(doc)), key=len):
        if batch and (len(batch) == MAX_DOCS or tokens + len(doc) > MAX_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(doc)
        tokens += len(doc)
    if batch:
        yield batch


def _may_contain_names(entity: Span) -> bool:
    return entity.label_ not in AMOUNTS or not LOWER_CASE.fullmatch(entity.text)


def _crosses_sentence(doc: Doc) -> bool:
    return any(doc[at].is_sent_start for entity in doc.ents for at in range(entity.start + 1, entity.end))
