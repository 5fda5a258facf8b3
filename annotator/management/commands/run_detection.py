"""Start detection runs and show their progress. The workers execute them."""

import argparse
import time
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import number
from annotator.core.heartbeat import workers_to_show
from annotator.core.job_terminal import JobDisplay
from annotator.core.lookups import UnknownName, corpora_named
from annotator.detection.queries.runs import RunProgress, progress_of
from annotator.detection.services import DetectionRefused, start_run
from profiles.detection.recipes import Contents
from profiles.jobs.states import State
from profiles.models import DetectionRun, Recipe

LOOK_EVERY = 1.0  # seconds
NO_WORKER = "no worker is running: start one (bin/up does), and this continues automatically"


class Command(BaseCommand):
    help = "Run Presidio over every comment of a corpus, or of all. Comments already analysed are skipped."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--corpus", metavar="NAME", help="only this corpus [all complete corpora]")
        parser.add_argument("--recipe", metavar="NAME", help="use this existing recipe [the best installed model]")
        parser.add_argument("--wait", action="store_true", help="show progress, and return when it has finished")

    def handle(self, *args: object, **options: Any) -> None:
        contents = _contents(options["recipe"])
        try:
            runs = [start_run(corpus, contents) for corpus in corpora_named(options["corpus"])]
        except (DetectionRefused, UnknownName) as refusal:
            raise CommandError(str(refusal)) from refusal
        if options["wait"]:
            self._wait(runs)
        else:
            names = ", ".join(run.corpus.name for run in runs)
            self.stdout.write(f"requested: {names}. Each corpus page shows the progress; --wait shows it here.")

    def _wait(self, runs: list[DetectionRun]) -> None:
        ended = _watch(runs)
        for progress in ended:
            self.stdout.write(_summary(progress))
        if any(progress.state != State.FINISHED for progress in ended):
            raise CommandError("Some runs did not finish.")


def _contents(name: str | None) -> Contents | None:
    if not name:
        return None
    recipe = Recipe.objects.filter(name=name).first()
    if recipe is None:
        known = ", ".join(Recipe.objects.order_by("pk").values_list("name", flat=True)) or "none yet"
        raise CommandError(f"There is no recipe called “{name}”. Recipes: {known}.")
    return Contents.from_json(recipe.contents)


def _watch(runs: Sequence[DetectionRun]) -> list[RunProgress]:
    """Show the runs' progress until none of them is live."""
    with JobDisplay() as display:
        while True:
            shown = [_look(run, display) for run in runs]
            if not any(progress.state.is_live for progress in shown):
                return shown
            time.sleep(LOOK_EVERY)


def _look(run: DetectionRun, display: JobDisplay) -> RunProgress:
    run.refresh_from_db()
    progress = progress_of(run)
    display.show(f"{run.corpus.name[:18]} #{run.pk}", progress.job.progress, _text(progress))
    return progress


def _text(progress: RunProgress) -> str:
    if progress.job.left:
        return f"{progress.amount}, {progress.rate_shown} /s"
    is_stuck = progress.state.is_live and not workers_to_show()
    return NO_WORKER if is_stuck else f"{progress.amount}, {progress.job.label}"


def _summary(progress: RunProgress) -> str:
    """One line on how the run ended, and a second one with its problem, if it has one."""
    run = progress.run
    left_out = run.unanalysed.count()
    line = f"{run.corpus.name}: {progress.job.label}, {progress.amount}, {number(progress.tally.found)} detections"
    line += f", {number(left_out)} not analysed" if left_out else ""
    return f"{line}\n{run.problem}" if run.problem else line
