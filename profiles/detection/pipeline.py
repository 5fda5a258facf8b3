"""Load an installed spaCy pipeline for a worker: fast on one core, and with bounded memory (ADR 13)."""

from collections.abc import Iterator
from contextlib import contextmanager

import spacy
from spacy.language import Language
from thinc.api import use_ops

from profiles.detection.recipes import Model
from profiles.detection.spacy_models import require_model

MAX_VOCABULARY = 2_000_000  # words; beyond that, reload the model, as even forgotten ones leave 30 bytes each
KEPT_VOCABULARY = 25_000  # words; later ones are forgotten after each batch


def load(model: Model) -> Language:
    """Load an installed model. Raises ModelMissing rather than downloading it.

    numpy's matrix product takes a third of the time of spaCy's default (BLIS), with the same results. It runs on one
    thread, because `annotator.config` sets OPENBLAS_NUM_THREADS.
    """
    require_model(model)
    with use_ops("numpy", use_blis=False):
        return spacy.load(model.name)


def needs_reload(nlp: Language) -> bool:
    return len(nlp.vocab) > MAX_VOCABULARY


@contextmanager
def bounded_vocabulary(nlp: Language) -> Iterator[None]:
    """Forget the words of a batch once the vocabulary is large. Common words come early, so they stay.

    A failure must not leave spaCy's own block early, because spaCy would then use memory that is freed.
    """
    if len(nlp.vocab) < KEPT_VOCABULARY:
        yield
        return
    failure: BaseException | None = None
    with nlp.memory_zone():
        try:
            yield
        except BaseException as error:
            failure = error
    if failure:
        raise failure
