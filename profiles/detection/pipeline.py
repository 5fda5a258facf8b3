"""Load a spaCy pipeline for a worker: fast on one core, from what is installed, with bounded memory.

For that it replaces the matrix product of every layer, sets the number of threads in numpy's OpenBLAS by ctypes, and
empties and reloads the vocabulary (ADR 13).
"""

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
from profiles.detection.spacy_models import require_model

MAX_VOCABULARY = 2_000_000  # words; even forgotten ones leave 30 bytes each, so the model is reloaded then
KEPT_VOCABULARY = 25_000  # words; later ones are forgotten after each batch


def load(model: Model) -> Language:
    """Load an installed model. Raises ModelMissing rather than downloading it."""
    require_model(model)
    _use_one_thread()
    nlp = spacy.load(model.name)
    for _, pipe in nlp.pipeline:
        _use_numpy_matmul(pipe)
    return nlp


def needs_reload(nlp: Language) -> bool:
    return len(nlp.vocab) > MAX_VOCABULARY


@contextmanager
def bounded_vocabulary(nlp: Language) -> Iterator[None]:
    """Forget the words of a batch once the vocabulary is large. Common words come first, so those stay.

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


def _use_numpy_matmul(pipe: object) -> None:
    """numpy's matrix product takes a third of the time of spaCy's default, with the same results."""
    model = getattr(pipe, "model", None)
    for node in model.walk() if isinstance(model, ThincModel) else ():
        if type(node.ops) is NumpyOps:
            node.ops = NumpyOps(use_blis=False)


def _use_one_thread() -> None:
    """There is a process for every core already; numpy's threads would only compete."""
    for library in Path(numpy.__file__).parent.parent.glob("numpy.libs/*openblas*"):
        loaded = ctypes.CDLL(str(library))
        for name in ("scipy_openblas_set_num_threads64_", "openblas_set_num_threads"):
            if hasattr(loaded, name):
                getattr(loaded, name)(1)
