"""Load the grouped comments into Postgres, batch by batch, saving the position in the same transaction.

Nobody sees a new corpus before it is complete, so its batches are committed one by one, and a killed load resumes
where it stopped. A corpus that people already work with grows in one transaction: all or nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar, cast

from django.db import transaction

from profiles.ingest.columns import GROUPED_COLUMNS, GroupedComment
from profiles.ingest.comment_batches import CommentBatch
from profiles.ingest.corpus_writer import BatchResult, CorpusWriter
from profiles.ingest.engine import connect, quoted
from profiles.ingest.funnel import Rule
from profiles.ingest.options import Options
from profiles.ingest.progress import Progress
from profiles.models import Corpus, Ingest

ROWS_AT_ONCE = 20_000
Item = TypeVar("Item")


def begin_load(corpus: Corpus, removed: dict[str, int], rows: int, *, is_all: bool) -> None:
    """Record that this load must finish before any other. `is_all`: its counts replace those of earlier loads."""
    corpus.loading = {"rows": 0, "total": rows, "removed": removed, "is_all": is_all}
    corpus.save(update_fields=["loading"])


def load_comments(corpus: Corpus, grouped: Path, options: Options, progress: Progress) -> None:
    progress.begin(Ingest.Stage.LOADING, corpus.loading["total"])
    progress.set(done=corpus.loading["rows"])
    writer = CorpusWriter(corpus, exact_spelling=options.exact_spelling)
    with _all_or_nothing(corpus):
        for batch in prefetch(_batches(grouped, skip=corpus.loading["rows"])):
            with transaction.atomic():
                _save_position(corpus, len(batch), writer.write_batch(batch))
            progress.add(len(batch))


def _all_or_nothing(corpus: Corpus) -> AbstractContextManager[Any]:
    return transaction.atomic() if corpus.ready_at else nullcontext()


def _batches(grouped: Path, *, skip: int) -> Iterator[CommentBatch]:
    with connect(grouped.parent) as connection:
        query = f"SELECT {', '.join(GROUPED_COLUMNS)} FROM read_parquet({quoted(str(grouped))}, file_row_number=true)"
        result = connection.execute(f"{query} WHERE file_row_number >= {skip}")
        while rows := result.fetchmany(ROWS_AT_ONCE):
            yield CommentBatch.from_rows(GroupedComment(*row) for row in rows).precompute()


def prefetch(items: Iterable[Item]) -> Iterator[Item]:
    """Compute the next item in a thread while the current one is used: one core for Postgres, one for us."""
    iterator, end = iter(items), object()
    with ThreadPoolExecutor(1) as pool:
        upcoming = pool.submit(next, iterator, end)
        while (item := upcoming.result()) is not end:
            upcoming = pool.submit(next, iterator, end)
            yield cast("Item", item)


def _save_position(corpus: Corpus, rows: int, result: BatchResult) -> None:
    removed = Counter(corpus.loading["removed"])
    removed[Rule.FORGOTTEN] += result.forgotten
    removed[Rule.LOADED_BEFORE] += 0 if corpus.loading["is_all"] else result.loaded_before
    corpus.loading |= {"rows": corpus.loading["rows"] + rows, "removed": dict(removed)}
    corpus.save(update_fields=["loading"])
