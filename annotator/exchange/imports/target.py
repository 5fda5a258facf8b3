"""The corpus that an import goes into."""

from annotator.models import Format
from profiles.models import Corpus

MADE_BY = "annotator.exchange"
NOT_READY = "This corpus is still being imported. Wait until it is complete, then import again."


class ImportRefused(Exception):
    """The import was not started; the message says why."""


def target_corpus(name: str, file_format: Format) -> Corpus:
    """The corpus of this name, or a new one, locked. Raises ImportRefused if an ingest is still making it.

    An undo that removes an empty corpus waits for the lock, and then sees the import that took it.
    """
    check_target(name)
    options = {"made_by": MADE_BY, "format": file_format.value}
    corpora = Corpus.objects.select_for_update(no_key=True)
    return corpora.get_or_create(name=name, defaults={"options": options})[0]


def check_target(name: str) -> None:
    corpus = Corpus.objects.filter(name=name).first()
    if corpus and not corpus.ready_at and corpus.options.get("made_by") != MADE_BY:
        raise ImportRefused(NOT_READY)
