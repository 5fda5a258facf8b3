"""Request an ingest. Separate from `run`, which imports DuckDB: web pages only request, workers run."""

import os
from collections.abc import Sequence
from pathlib import Path

from profiles.ingest.lock import refuse_second_run
from profiles.ingest.options import Options
from profiles.ingest.plan import IngestRefused, get_or_create_corpus
from profiles.ingest.sources import NoSuchFile, find_files, path_in_words, path_to_text
from profiles.models import DumpFile, Ingest


def request_ingest(name: str, options: Options | None, paths: Sequence[Path]) -> Ingest:
    """Store the request, and create the corpus if it does not exist. Nothing is read yet.

    A path that leads nowhere is refused before that, so that it leaves no empty corpus.
    """
    refuse_missing_files(paths)
    corpus = get_or_create_corpus(name, options)
    refuse_second_run(corpus)
    return Ingest.objects.create(corpus=corpus, paths=[path_to_text(path) for path in paths])


def refuse_missing_files(paths: Sequence[Path]) -> None:
    try:
        unreadable = [path for path in find_files(paths) if not os.access(path, os.R_OK)]
    except NoSuchFile as error:
        raise IngestRefused(str(error)) from error
    if unreadable:
        raise IngestRefused(f"{path_in_words(unreadable[0])} cannot be read: permission denied.")


def discard_empty(ingest: Ingest) -> bool:
    """Delete the corpus that this refused ingest created, unless something was read into it. Return whether it was."""
    corpus = ingest.corpus
    corpus.refresh_from_db()
    is_first = not corpus.ready_at and not corpus.ingests.exclude(pk=ingest.pk).exists()
    has_read = corpus.files.exclude(state__in=[DumpFile.State.WAITING, DumpFile.State.FAILED]).exists()
    if not is_first or has_read:
        return False
    corpus.delete()
    return True
