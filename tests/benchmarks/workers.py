"""Detection in two processes: bare entity recognition, and the whole way through Celery's workers into Postgres."""

import multiprocessing
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier
from pathlib import Path

from annotator.embedded.process import start, stop

PROCESSES = 2
OPTIONS = ["--without-mingle", "--without-gossip", "--loglevel", "WARNING", "--concurrency", str(PROCESSES)]


def bare_processes(texts: Sequence[str]) -> float:
    """Seconds for two processes, each with half of the texts, and a model that was loaded before the clock starts."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(PROCESSES + 1)
    halves = [list(texts[at::PROCESSES]) for at in range(PROCESSES)]
    processes = [context.Process(target=_recognise, args=(_model(), half, barrier)) for half in halves]
    for process in processes:
        process.start()
    barrier.wait(timeout=120)
    began = time.perf_counter()
    barrier.wait(timeout=120)
    for process in processes:
        process.join()
    return time.perf_counter() - began


def _recognise(model: str, texts: list[str], barrier: Barrier) -> None:
    import spacy

    nlp = spacy.load(model, enable=["ner"])
    list(nlp.pipe(texts[:64]))
    barrier.wait(timeout=120)
    for _ in nlp.pipe(texts, batch_size=256):
        pass
    barrier.wait(timeout=120)


def _model() -> str:
    from profiles.detection.presidio import default_contents

    return default_contents().models[0].name


@contextmanager
def celery_workers() -> Iterator[None]:
    """Two real worker processes that have loaded the model."""
    worker = start([sys.executable, "-m", "celery", "-A", "annotator.config", "worker", *OPTIONS], log=Path(os.devnull))
    try:
        warm = 0
        while warm < PROCESSES:
            through_workers(["Ada moved to Oslo with James."] * 6000)
            warm = _workers_seen()
        yield
    finally:
        stop(worker)


def through_workers(texts: Sequence[str]) -> float:
    """Seconds from the request to the last row in Postgres."""
    from annotator.detection.services import start_run
    from profiles.models import DetectionRun

    corpus = _corpus(texts)
    began = time.perf_counter()
    run = start_run(corpus)
    while not DetectionRun.objects.filter(pk=run.pk, finished_at__isnull=False).exists():
        time.sleep(0.02)
    return time.perf_counter() - began


def _corpus(texts: Sequence[str]):
    from profiles.bulk_load import CommentRecord, ProfileRecord, load_profiles
    from profiles.models import Corpus

    when = datetime(2013, 5, 1, tzinfo=UTC)
    records = [
        ProfileRecord(
            f"account{at}",
            [CommentRecord(f"c{at + n}", "AskReddit", when, text) for n, text in enumerate(texts[at : at + 400])],
        )
        for at in range(0, len(texts), 400)
    ]
    corpus = Corpus.objects.create(name=f"benchmark {time.time()}")
    load_profiles(corpus, records)
    corpus.refresh_from_db()
    return corpus


def _workers_seen() -> int:
    from profiles.models import DetectionChunk

    return DetectionChunk.objects.values("worker").distinct().count()
