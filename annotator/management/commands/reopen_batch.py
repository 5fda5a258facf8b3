"""Reopen a closed batch, like its “Setup” page does."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.batches.lifecycle import reopen
from annotator.batches.refusals import BatchRefused
from annotator.core.formatting import number
from annotator.core.lookups import UnknownName, batch_named
from annotator.gold.services.builds import request_stale_builds


class Command(BaseCommand):
    help = (
        "Reopen a closed batch: labelling continues where it stopped, and people get back the profiles they had open."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("batch", metavar="BATCH", help="name of the batch")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            batch = reopen(batch_named(options["batch"]))
        except (BatchRefused, UnknownName) as refusal:
            raise CommandError(str(refusal)) from refusal
        request_stale_builds(batch.corpus)
        left = batch.assignments.unfinished().count()
        self.stdout.write(f"reopened “{batch.name}” with {number(left)} left of {number(batch.assignments.count())}")
