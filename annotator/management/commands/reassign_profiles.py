"""Move assignments of a batch to other people, like its “Setup” page does."""

import argparse
from itertools import cycle
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.batches.moves import hand_out_again, reassign, release_prepared
from annotator.batches.refusals import AlreadyAssigned, BatchRefused
from annotator.core.formatting import plural
from annotator.core.lookups import UnknownName, batch_named, people_named
from annotator.models import Annotator, Assignment, Batch


class Command(BaseCommand):
    help = "Reassign someone's unfinished or skipped profiles in a batch to others."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("batch", metavar="BATCH", help="name of the batch")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--from", dest="person", metavar="USER", help="whose profiles to reassign")
        what.add_argument("--skipped", action="store_true", help="reassign skipped profiles that nobody has handled")
        what.add_argument(
            "--got-ready", action="store_true", help="in a pool, return profiles that were reserved but never opened"
        )
        parser.add_argument(
            "--to", nargs="*", default=[], metavar="USER", help="who gets them in turn [the shared pool]"
        )

    def handle(self, *args: object, **options: Any) -> None:
        try:
            self._handle(batch_named(options["batch"]), options)
        except (BatchRefused, UnknownName) as refusal:
            raise CommandError(str(refusal)) from refusal

    def _handle(self, batch: Batch, options: dict[str, Any]) -> None:
        to = people_named(options["to"])
        if options["person"]:
            result = reassign(batch, people_named([options["person"]])[0], to)
            stayed = (
                f"; {result.stayed} not reassigned, because everyone named already has them" if result.stayed else ""
            )
            self.stdout.write(f"reassigned {plural(result.moved, 'profile')}{stayed}")
        elif options["got_ready"]:
            self.stdout.write(f"returned {plural(release_prepared(batch), 'profile')} to the pool")
        else:
            self._hand_out(batch, to)

    def _hand_out(self, batch: Batch, to: list[Annotator]) -> None:
        """Give each profile to the next person who has not had it. Report how many nobody can take."""
        skipped = list(batch.assignments.unhandled().in_order())
        turns, count = cycle(to), 0
        for assignment in skipped:
            count += any(_try_to_hand_out(assignment, next(turns)) for _ in to) if to else _try_to_hand_out(assignment)
        left = len(skipped) - count
        self.stdout.write(
            f"reassigned {plural(count, 'skipped profile')}"
            + (f"; {left} not reassigned, because everyone named has already had them" if left else "")
        )


def _try_to_hand_out(assignment: Assignment, to: Annotator | None = None) -> bool:
    try:
        hand_out_again(assignment, to)
    except AlreadyAssigned:
        return False
    return True
