"""spaCy's entity recogniser on its own, with the results that it has at the end of the whole pipeline.

It reads only sentence starts from the other components, and only forbids an entity to go on across one. So it runs
alone; where it finds an entity of several words, the parser says whether a sentence starts inside; and only where one
does, the recogniser runs once more, now knowing the sentences. The parser is not asked about “two years ago” or
“30 000”: amounts and times in small letters and digits, whose parts are no names either. (To ask it only where an
entity holds punctuation or a line break would save a little more, and is wrong for “I am Muslims Zoë Müller Sydney”.)
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span

DOCS, TOKENS = 64, 1500  # a batch has at most this many: a larger one leaves the processor’s cache
WITHOUT_EFFECT = {"tagger", "morphologizer", "attribute_ruler", "lemmatizer", "trainable_lemmatizer"}
SENTENCES = {"tok2vec", "parser", "senter"}
AMOUNTS = {"DATE", "TIME", "CARDINAL", "ORDINAL", "MONEY", "PERCENT", "QUANTITY"}
SMALL = re.compile("[a-z0-9]+(?: [a-z0-9]+)*")


class Name(NamedTuple):
    label: str
    start: int
    end: int


class Names:
    """Finds what the model of one language finds."""

    def __init__(self, nlp: Language) -> None:
        before = nlp.pipe_names[: nlp.pipe_names.index("ner")]
        self.nlp, self.ner = nlp, nlp.get_pipe("ner")
        self.sentences = [nlp.get_pipe(name) for name in before if name in SENTENCES]
        self.texts = self.parsed = self.repeated = 0

    def find(self, texts: Sequence[str]) -> list[list[Name]]:
        docs = [self.nlp.make_doc(text) for text in texts]
        for some in _batches(docs):
            self._recognise(some)
        suspicious = [doc for doc in docs if any(len(one) > 1 and _could_hold_names(one) for one in doc.ents)]
        for some in _batches(suspicious):
            self._mind_sentences(some)
        self.texts, self.parsed = self.texts + len(texts), self.parsed + len(suspicious)
        return [[Name(one.label_, one.start_char, one.end_char) for one in doc.ents] for doc in docs]

    def _recognise(self, docs: list[Doc]) -> None:
        self.ner.set_annotations(docs, self.ner.predict(docs))  # type: ignore[attr-defined]

    def _mind_sentences(self, docs: list[Doc]) -> None:
        for pipe in self.sentences:
            pipe.set_annotations(docs, pipe.predict(docs))  # type: ignore[attr-defined]
        again = [doc for doc in docs if _crosses(doc)]
        for doc in again:
            doc.set_ents([], default="missing")
        if again:
            self._recognise(again)
        self.repeated += len(again)


def runs_alone(nlp: Language) -> bool:
    """Whether the recogniser has all it needs in itself. Not so in models that share one transformer, say."""
    if "ner" not in nlp.pipe_names:
        return False
    before = set(nlp.pipe_names[: nlp.pipe_names.index("ner")])
    nodes = nlp.get_pipe("ner").model.walk()  # type: ignore[attr-defined]
    return before <= SENTENCES | WITHOUT_EFFECT and not any("istener" in type(node).__name__ for node in nodes)


def _batches(docs: list[Doc]) -> Iterator[list[Doc]]:
    """Of texts of about one length, so that none waits for a longer one."""
    batch: list[Doc] = []
    tokens = 0
    for doc in sorted((doc for doc in docs if len(doc)), key=len):
        if batch and (len(batch) == DOCS or tokens + len(doc) > TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(doc)
        tokens += len(doc)
    if batch:
        yield batch


def _could_hold_names(entity: Span) -> bool:
    return entity.label_ not in AMOUNTS or not SMALL.fullmatch(entity.text)


def _crosses(doc: Doc) -> bool:
    return any(doc[at].is_sent_start for one in doc.ents for at in range(one.start + 1, one.end))
