"""Detection runs on the terminal: a bar for each with rate and time left, until all have ended."""

import time
from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from annotator.core.formatting import number
from annotator.detection.queries.runs import RunProgress, RunState, progress_of
from annotator.detection.queries.workers import workers_to_show
from profiles.models import DetectionRun

LOOK_EVERY = 1.0
NO_WORKER = "no worker is running: start one (bin/up does), and this goes on by itself"
WAITING = (RunState.WAITING, RunState.PLANNING, RunState.RUNNING)


def watch(runs: Sequence[DetectionRun], console: Console | None = None) -> list[RunProgress]:
    """Until none of them goes on by itself any more."""
    columns = (TextColumn("{task.description:<24}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, TextColumn("{task.fields[told]}"), console=console or Console(stderr=True)) as bars:
        shown = {run.pk: bars.add_task(run.corpus.name[:24], total=None, told="") for run in runs}
        while True:
            now = [_look(run, bars, shown[run.pk]) for run in runs]
            if not any(one.state in WAITING for one in now):
                return now
            time.sleep(LOOK_EVERY)


def _look(run: DetectionRun, bars: Progress, bar: TaskID) -> RunProgress:
    run.refresh_from_db()
    now = progress_of(run)
    bars.update(bar, completed=now.done, total=now.total or None, told=_told(now))
    return now


def _told(now: RunProgress) -> str:
    if now.left:
        return f"{now.amount}, {now.rate_shown} /s, {now.left}"
    is_stuck = now.state in WAITING and not workers_to_show()
    return NO_WORKER if is_stuck else f"{now.amount}, {now.state}"


def summary(progress: RunProgress) -> str:
    """How a run ended, in one line and what is to be done in another."""
    run = progress.run
    left_out = run.unanalysed.count()
    line = f"{run.corpus.name}: {progress.state}, {progress.amount}, {number(progress.tally.found)} detections"
    line += f", {number(left_out)} not analysed" if left_out else ""
    return f"{line}\n{run.problem}" if run.problem else line
