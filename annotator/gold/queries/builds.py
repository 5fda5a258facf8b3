"""Progress of gold builds."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from annotator.core.formatting import number
from annotator.core.jobs import LABELS, ShownJob, show_job
from annotator.models import GoldBuild
from profiles.jobs.progress import Progress
from profiles.jobs.states import State, state_of
from profiles.models import Corpus

BUILD_LABELS = {State.RUNNING: "Being built"}


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """Progress of a corpus's gold build."""

    corpus: str
    built_at: datetime | None
    is_running: bool
    done: int
    total: int
    is_waiting: bool  # something changed since, and no build is running yet

    @property
    def amount(self) -> str:
        return f"{number(self.done)} of {number(self.total)} profiles" if self.total else ""


def build_of(corpus: Corpus) -> GoldBuild | None:
    """1 query."""
    return GoldBuild.objects.filter(corpus=corpus).first()


def show_build(build: GoldBuild | None, *, is_stale: bool) -> ShownJob | None:
    """The build as a job, or None if gold is up to date. Stale gold waits for a worker, unless the last build failed.

    No query.
    """
    state = state_of(build) if build and build.began_at else State.FINISHED
    if build and state in (State.RUNNING, State.FAILED):
        return show_job(build, "profiles", labels=BUILD_LABELS, step="Profiles")
    if is_stale:
        return ShownJob(State.WAITING, LABELS[State.WAITING], "", Progress(0, 0))
    return show_job(build, "profiles") if build and state == State.SILENT else None


def build_progress(stale: Iterable[int], corpus: Corpus | None = None) -> list[BuildProgress]:
    """Progress by corpus, ordered by name. Stale corpora never built before share one row without a name. 1 query."""
    waiting = set(stale)
    rows = GoldBuild.objects.select_related("corpus").order_by("corpus__name")
    kept = [row for row in rows if corpus is None or row.corpus_id == corpus.pk]
    known = [
        BuildProgress(
            row.corpus.name, row.built_at, state_of(row) == State.RUNNING, row.done,
            row.total, row.corpus_id in waiting,
        )
        for row in kept
    ]  # fmt: skip
    never = waiting - {row.corpus_id for row in rows}
    return [*known, *[BuildProgress("", None, False, 0, 0, True)] * bool(never)]
