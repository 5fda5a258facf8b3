"""A spaCy pipeline as a worker wants it: quick on one core, loaded from what is installed, and never growing."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy
import spacy
from spacy.language import Language
from thinc.api import Model as ThincModel
from thinc.api import NumpyOps

from profiles.detection.recipes import Model
from profiles.detection.spacy_models import require

WORN = 2_000_000  # words met: what spaCy forgets leaves a trace of 30 bytes each, so that it is loaded afresh then
LEARNED = 25_000  # words that are kept; those that come later are forgotten after each batch


def load(model: Model) -> Language:
    """Raises ModelMissing rather than downloading."""
    require(model)
    _one_thread()
    nlp = spacy.load(model.name)
    for _, pipe in nlp.pipeline:
        _multiply_with_numpy(pipe)
    return nlp


def is_worn(nlp: Language) -> bool:
    return len(nlp.vocab) > WORN


@contextmanager
def forgetting(nlp: Language) -> Iterator[None]:
    """spaCy keeps every word that it has met. Common ones are met first: only those stay.

    A failure must not leave spaCy's own block early, because it would then go on with memory that is gone.
    """
    if len(nlp.vocab) < LEARNED:
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


def _multiply_with_numpy(pipe: object) -> None:
    """numpy's matrix product takes a third of the time of spaCy's default, for the same numbers."""
    model = getattr(pipe, "model", None)
    for node in model.walk() if isinstance(model, ThincModel) else ():
        if type(node.ops) is NumpyOps:
            node.ops = NumpyOps(use_blis=False)


def _one_thread() -> None:
    """There is a process for every core already: threads of numpy's would only fight over them."""
    for library in Path(numpy.__file__).parent.parent.glob("numpy.libs/*openblas*"):
        loaded = ctypes.CDLL(str(library))
        for name in ("scipy_openblas_set_num_threads64_", "openblas_set_num_threads"):
            if hasattr(loaded, name):
                getattr(loaded, name)(1)
