"""Asking for an ingest. Light: web pages ask, and workers bring along what it takes to do it."""

from collections.abc import Sequence
from pathlib import Path

from profiles.ingest.lock import refuse_second_run
from profiles.ingest.options import Options
from profiles.ingest.plan import get_or_create_corpus
from profiles.models import Ingest


def ask_for_ingest(name: str, options: Options | None, paths: Sequence[Path]) -> Ingest:
    """Note down what is to be done; nothing is read yet. Makes the corpus where there is none of that name."""
    corpus = get_or_create_corpus(name, options)
    refuse_second_run(corpus)
    return Ingest.objects.create(corpus=corpus, paths=[str(path) for path in paths])
