"""Close a batch, like its “Setup” page does."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.batches.lifecycle import HasOpenWork, close
from annotator.batches.refusals import BatchRefused
from annotator.core.formatting import number
from annotator.core.lookups import UnknownName, batch_named


class Command(BaseCommand):
    help = "Close a batch: labelling ends, and everything submitted is kept."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("batch", metavar="BATCH", help="name of the batch")
        parser.add_argument(
            "--withdraw", action="store_true", help="withdraw profiles that people have open; drafts are kept"
        )

    def handle(self, *args: object, **options: Any) -> None:
        try:
            batch = close(batch_named(options["batch"]), withdraw=options["withdraw"])
        except HasOpenWork as refusal:
            raise CommandError(f"{refusal} To withdraw them, use --withdraw.") from refusal
        except (BatchRefused, UnknownName) as refusal:
            raise CommandError(str(refusal)) from refusal
        done = batch.assignments.submitted().count()
        self.stdout.write(f"closed “{batch.name}” with {number(done)} submitted of {number(batch.assignments.count())}")
