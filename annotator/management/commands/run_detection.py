"""Start detection runs and show their progress. Workers do the work."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.lookups import UnknownName, corpora_named
from annotator.detection.queries.runs import RunState
from annotator.detection.services import DetectionRefused, start_run
from annotator.detection.terminal import summary, watch
from profiles.detection.recipes import Contents
from profiles.models import DetectionRun, Recipe


class Command(BaseCommand):
    help = "Let the workers run Presidio over every comment of a corpus, or of all. What is done is not done again."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--corpus", metavar="NAME", help="only this one [all that are complete]")
        parser.add_argument("--recipe", metavar="NAME", help="by a recipe that is there [the best installed model]")
        parser.add_argument("--wait", action="store_true", help="show how far it is, and return when it has ended")

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
            self.stdout.write(f"asked for: {names}. The page of each corpus shows how far it is; --wait does so here.")

    def _wait(self, runs: list[DetectionRun]) -> None:
        ended = watch(runs)
        for progress in ended:
            self.stdout.write(summary(progress))
        if any(progress.state != RunState.DONE for progress in ended):
            raise CommandError("Not all of it is done.")


def _contents(name: str | None) -> Contents | None:
    if not name:
        return None
    recipe = Recipe.objects.filter(name=name).first()
    if recipe is None:
        known = ", ".join(Recipe.objects.order_by("pk").values_list("name", flat=True)) or "none yet"
        raise CommandError(f"There is no recipe “{name}”. There are: {known}.")
    return Contents.from_json(recipe.contents)
