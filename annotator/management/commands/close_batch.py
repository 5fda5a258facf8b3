"""Close a batch, like its “Setup” page does."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.batches.lifecycle import HasOpenWork, close
from annotator.batches.refusals import BatchRefused
from annotator.core.formatting import number
from annotator.core.lookups import UnknownName, batch_named


class Command(BaseCommand):
    help = "Close a batch: nothing of it can be labelled any more, and all that was submitted is kept."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("batch", metavar="BATCH", help="name of the batch")
        parser.add_argument("--withdraw", action="store_true", help="take back what people have open; drafts are kept")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            batch = close(batch_named(options["batch"]), withdraw=options["withdraw"])
        except HasOpenWork as refusal:
            raise CommandError(f"{refusal} To take them back: --withdraw.") from refusal
        except (BatchRefused, UnknownName) as refusal:
            raise CommandError(str(refusal)) from refusal
        done = batch.assignments.submitted().count()
        self.stdout.write(f"closed “{batch.name}” with {number(done)} submitted of {number(batch.assignments.count())}")
