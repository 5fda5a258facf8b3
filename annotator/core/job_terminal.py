"""Jobs on the terminal: a progress bar for each, with a text and the time left."""

from collections.abc import Callable
from types import TracebackType

from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn
from rich.progress import Progress as Bars

from annotator.core.jobs import time_left
from profiles.jobs.progress import Progress


class JobDisplay:
    """Progress bars by name. A new one appears below the others."""

    def __init__(self, console: Console | None = None) -> None:
        columns = (TextColumn("{task.description:<24}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
        self._bars = Bars(*columns, TextColumn("{task.fields[text]}"), console=console or Console(stderr=True))
        self._ids: dict[str, TaskID] = {}

    def __enter__(self) -> "JobDisplay":
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def show(self, name: str, progress: Progress, text: str = "") -> None:
        if name not in self._ids:
            self._ids[name] = self._bars.add_task(name[:24], total=None, text="")
        words = ", ".join(filter(None, [text, time_left(progress)]))
        self._bars.update(self._ids[name], completed=progress.done, total=progress.total or None, text=words)

    def show_step(self, name: str, progress: Progress, text: str = "") -> None:
        """Show a step of a job whose steps follow each other: all steps before a new one are complete."""
        if name not in self._ids:
            for bar in self._ids.values():
                total = self._bars.tasks[bar].total or 1
                self._bars.update(bar, total=total, completed=total)
        self.show(name, progress, text)

    def counter(self, name: str) -> Callable[[int, int], None]:
        """Return a callback that shows a job, for jobs that report only counts of done and total."""
        began_at = timezone.now()
        return lambda done, total: self.show(name, Progress.between(done, total, began_at, timezone.now()))
