"""The gathered comments into Postgres, batch by batch, with the place that was reached kept in the same transaction.

A new corpus is nobody's before it is whole, so its batches are committed one by one and a killed load goes on where
it stopped. A corpus that people work with grows in one transaction: all of it, or nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar, cast

import pyarrow as pa
import pyarrow.parquet as pq
from django.db import transaction

from profiles.ingest.comment_batches import CommentBatch
from profiles.ingest.corpus_writer import Filled, Filler
from profiles.ingest.funnel import Rule
from profiles.ingest.options import Options
from profiles.ingest.progress import Progress
from profiles.models import Corpus, Ingest

ROWS_AT_ONCE = 20_000
Item = TypeVar("Item")


def begin_load(corpus: Corpus, removed: dict[str, int], rows: int, *, is_all: bool) -> None:
    """From here on the same load is finished before anything else. `is_all`: nothing is left of earlier loads."""
    corpus.loading = {"rows": 0, "total": rows, "removed": removed, "is_all": is_all}
    corpus.save(update_fields=["loading"])


def load(corpus: Corpus, gathered: Path, options: Options, progress: Progress) -> None:
    progress.begin(Ingest.Stage.LOADING, corpus.loading["total"])
    progress.set(done=corpus.loading["rows"])
    filler = Filler(corpus, exact_spelling=options.exact_spelling)
    with _all_or_nothing(corpus):
        for batch in one_ahead(_batches(gathered, skip=corpus.loading["rows"])):
            with transaction.atomic():
                _keep_place(corpus, batch.rows.num_rows, filler.fill_in(batch))
            progress.add(batch.rows.num_rows)


def _all_or_nothing(corpus: Corpus) -> AbstractContextManager[Any]:
    return transaction.atomic() if corpus.ready_at else nullcontext()


def _batches(gathered: Path, *, skip: int) -> Iterator[CommentBatch]:
    """Batches begin at the same rows in every run."""
    for number, batch in enumerate(pq.ParquetFile(gathered).iter_batches(ROWS_AT_ONCE)):
        if number * ROWS_AT_ONCE >= skip:
            yield CommentBatch.of(pa.Table.from_batches([batch])).worked_out()


def one_ahead(items: Iterable[Item]) -> Iterator[Item]:
    """The next is made in a thread while the last one is used: Postgres writes on one core, we reckon on another."""
    making, end = iter(items), object()
    with ThreadPoolExecutor(1) as aside:
        coming = aside.submit(next, making, end)
        while (item := coming.result()) is not end:
            coming = aside.submit(next, making, end)
            yield cast("Item", item)


def _keep_place(corpus: Corpus, rows: int, filled: Filled) -> None:
    removed = Counter(corpus.loading["removed"])
    removed[Rule.FORGOTTEN] += filled.forgotten
    removed[Rule.LOADED_BEFORE] += 0 if corpus.loading["is_all"] else filled.loaded_before
    corpus.loading |= {"rows": corpus.loading["rows"] + rows, "removed": dict(removed)}
    corpus.save(update_fields=["loading"])
