"""Detect in several processes, each a copy of this one with the model loaded.

The copies share the model's memory. They end with this process, however it ends.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from threading import Thread
from typing import NamedTuple

from profiles.detection.presidio import Analyser, TooSlow, UnreadableText
from profiles.spans import EntitySpan

TASK_SIZE, TASK_TEXTS = 20_000, 64  # characters and texts; a longer text is a task of its own
FAILED = "The model failed with {error}."
DIED = (
    "A process of the detector ended unexpectedly, perhaps for lack of memory. What was done is kept: "
    "run the same command again, with fewer --workers."
)


class WorkersDied(Exception):
    """A process ended unexpectedly."""


class Detected(NamedTuple):
    """The detections of a text, or why there are none."""

    key: str
    spans: tuple[EntitySpan, ...] = ()
    reason: str = ""


Task = list[tuple[str, str]]  # keys and texts
Detect = Callable[[Task], list[Detected]]


def detect_texts(texts: dict[str, str], analyser: Analyser, workers: int) -> Generator[Detected]:
    """Detect in all texts, by key, in any order, the longest first. Raises WorkersDied.

    Without workers, a thread of this process does it: Celery's processes may have no processes of their own.
    """
    if not workers:
        with ThreadPoolExecutor(1) as executor:
            yield from _collect(executor, partial(detect_task, analyser), plan_tasks(texts))
    else:
        yield from _detect_in_processes(plan_tasks(texts), analyser, workers)


def _detect_in_processes(tasks: Sequence[Task], analyser: Analyser, workers: int) -> Iterator[Detected]:
    fork = multiprocessing.get_context("fork")
    others = {child.pid for child in multiprocessing.active_children()}
    with ProcessPoolExecutor(workers, fork, initializer=_begin_worker, initargs=(analyser,)) as executor:
        try:
            yield from _collect(executor, _detect_here, tasks)
        except BrokenProcessPool as error:
            raise WorkersDied(DIED) from error
        except (KeyboardInterrupt, GeneratorExit):
            _kill_children(others)  # each has tasks waiting, which would take it half a minute
            raise


def _kill_children(others: set[int | None]) -> None:
    for child in multiprocessing.active_children():
        if child.pid not in others:
            child.kill()


def plan_tasks(texts: dict[str, str]) -> list[Task]:
    """Group short texts, which are faster together. Long ones come first, so that none is left for the end."""
    tasks: list[Task] = []
    size = 0
    for key, text in sorted(texts.items(), key=lambda item: (-len(item[1]), item[0])):
        if not tasks or size + len(text) > TASK_SIZE or len(tasks[-1]) == TASK_TEXTS:
            tasks.append([])
            size = 0
        tasks[-1].append((key, text))
        size += len(text)
    return tasks


def _collect(executor: Executor, detect: Detect, tasks: Sequence[Task]) -> Iterator[Detected]:
    """Yield results as they come. A task that fails is tried text by text, to isolate the one at fault."""
    running: dict[Future[list[Detected]], Task] = {executor.submit(detect, task): task for task in tasks}
    try:
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                task, error = running.pop(future), future.exception()
                if error is None or isinstance(error, BrokenProcessPool):
                    yield from future.result()
                elif len(task) == 1:
                    yield Detected(task[0][0], reason=FAILED.format(error=type(error).__name__))
                else:
                    running |= {executor.submit(detect, [item]): [item] for item in task}
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def detect_task(analyser: Analyser, task: Task) -> list[Detected]:
    """Detect in the texts of a task. Those that no model can read get a reason."""
    refused: list[Detected] = []
    screened = []
    for key, text in task:
        try:
            screened.append((key, analyser.screen(text)))
        except (TooSlow, UnreadableText) as error:
            refused.append(Detected(key, reason=str(error)))
    results = analyser.detect([text for _, text in screened])
    return refused + [Detected(key, tuple(spans)) for (key, _), spans in zip(screened, results, strict=True)]


# ── Worker processes ────────────────────────────────────────────────────────

_analysers: list[Analyser] = []  # that of this worker


def _begin_worker(analyser: Analyser) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    _analysers[:] = [analyser]
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _detect_here(task: Task) -> list[Detected]:
    (analyser,) = _analysers
    return detect_task(analyser, task)
