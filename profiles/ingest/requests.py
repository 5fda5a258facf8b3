"""Request an ingest. Apart from `run`, which imports DuckDB and pyarrow: web pages only request, workers run."""

from collections.abc import Sequence
from pathlib import Path

from profiles.ingest.lock import refuse_second_run
from profiles.ingest.options import Options
from profiles.ingest.plan import get_or_create_corpus
from profiles.models import Ingest


def request_ingest(name: str, options: Options | None, paths: Sequence[Path]) -> Ingest:
    """Store what is to be done, and make the corpus if it does not exist. Nothing is read yet."""
    corpus = get_or_create_corpus(name, options)
    refuse_second_run(corpus)
    return Ingest.objects.create(corpus=corpus, paths=[str(path) for path in paths])
