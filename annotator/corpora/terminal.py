"""An ingest on the terminal: a bar with rate and time left while it runs, and the funnel when it is over."""

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from annotator.core.formatting import number
from profiles.ingest.progress import line_rate
from profiles.models import DumpFile, Ingest

Stage = Ingest.Stage


class IngestDisplay:
    """One bar for each stage."""

    def __init__(self, console: Console | None = None) -> None:
        columns = (TextColumn("{task.description:<22}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
        told = (TextColumn("{task.fields[told]}"), TimeRemainingColumn())
        self._progress = Progress(*columns, *told, console=console or Console(stderr=True))
        self._bars: dict[str, TaskID] = {}

    def __enter__(self) -> "IngestDisplay":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, ingest: Ingest) -> None:
        if ingest.stage in (Stage.WAITING, Stage.DONE, Stage.STOPPED):
            return
        total = ingest.total or None
        if ingest.stage not in self._bars:
            self._end_the_others()
            label = Stage(ingest.stage).label
            self._bars[ingest.stage] = self._progress.add_task(label, total=total, told="")
        bar = self._bars[ingest.stage]
        self._progress.update(bar, completed=ingest.done, total=total, told=_told(ingest))

    def _end_the_others(self) -> None:
        for bar in self._bars.values():
            done = self._progress.tasks[bar].total or 1
            self._progress.update(bar, total=done, completed=done)


def _told(ingest: Ingest) -> str:
    if ingest.stage == Stage.READING:
        return f"{number(ingest.lines)} lines, {number(ingest.kept)} kept, {number(round(line_rate(ingest)))} /s"
    return f"{number(ingest.done)} of {number(ingest.total)} comments" if ingest.stage == Stage.LOADING else ""


def summary(ingest: Ingest) -> str:
    """The funnel of the whole corpus, and what did not go well."""
    ingest.corpus.refresh_from_db()
    steps = ingest.corpus.funnel
    width = max((len(step["label"]) for step in steps), default=0)
    lines = [f"  {step['label']:<{width}}  {step['left']:>15,}" for step in steps]
    profiles = ingest.corpus.profiles.count()
    lines.append(f"  {'Profiles':<{width}}  {profiles:>15,}")
    lines += [f"{file.name}: {problem}" for file in ingest.corpus.files.all() for problem in _problems(file)]
    return "\n".join([*lines, *([ingest.problem] if ingest.problem else [])])


def _problems(file: DumpFile) -> list[str]:
    reasons = ", ".join(f"{number(count)} {reason}" for reason, count in sorted(file.reasons.items()))
    aside = [f"set aside {reasons}. The corpus page lists the lines."] if reasons else []
    return aside + ([file.problem] if file.problem else [])
