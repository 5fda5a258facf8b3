"""Hands slots of a batch to other people, as the page “Setup” of a batch does."""

import argparse
from itertools import cycle
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.batches.changes import BatchRefused
from annotator.batches.moves import AlreadyHad, hand_out_again, reassign, take_back
from annotator.core.lookups import NotNamed, batch_named, people_named
from annotator.models import Annotator, Batch


class Command(BaseCommand):
    help = "Hand what somebody has not finished in a batch to others, or what was skipped to somebody else."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("batch", metavar="BATCH", help="name of the batch")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--from", dest="person", metavar="USER", help="whose profiles are handed over")
        what.add_argument("--skipped", action="store_true", help="what was skipped and nobody dealt with")
        what.add_argument("--got-ready", action="store_true", help="in a pool, what was got ready and never opened")
        parser.add_argument("--to", nargs="*", default=[], metavar="USER", help="who gets them in turn [anybody]")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            self._handle(batch_named(options["batch"]), options)
        except (BatchRefused, NotNamed) as refusal:
            raise CommandError(str(refusal)) from refusal

    def _handle(self, batch: Batch, options: dict[str, Any]) -> None:
        to = people_named(options["to"])
        if options["person"]:
            moved = reassign(batch, people_named([options["person"]])[0], to)
            left = f"; {moved.stayed} left, because everybody named has them already" if moved.stayed else ""
            self.stdout.write(f"handed over {moved.moved} slots{left}")
        elif options["got_ready"]:
            self.stdout.write(f"gave {take_back(batch)} slots back to the pool")
        else:
            self._hand_out(batch, to)

    def _hand_out(self, batch: Batch, to: list[Annotator]) -> None:
        """Each to the next who has not had it; what nobody can take is left and told."""
        skipped = list(batch.assignments.filter(skipped_at__isnull=False, handled_at=None).in_order())
        turns, given = cycle(to), 0
        for slot in skipped:
            given += any(_gave(slot, next(turns)) for _ in to) if to else _gave(slot, None)
        left = len(skipped) - given
        self.stdout.write(
            f"handed out {given} slots" + (f"; {left} left, which everybody named has had" if left else "")
        )


def _gave(slot: Any, to: Annotator | None) -> bool:
    try:
        hand_out_again(slot, to)
    except AlreadyHad:
        return False
    return True
