"""Build gold records and disputes from judgements on the command line."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import plural
from annotator.core.job_terminal import JobDisplay
from annotator.core.lookups import UnknownName, corpora_named
from annotator.gold.build import AlreadyBuilding, build_gold
from annotator.gold.build_rows import Tally
from profiles.jobs.claims import JobLost


class Command(BaseCommand):
    help = "Build gold records from judgements, in one corpus or in all, and list disputes to decide."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--corpus", metavar="NAME", help="only this corpus [all complete corpora]")
        parser.add_argument(
            "--everything", action="store_true", help="rebuild every profile [only those with new judgements]"
        )

    def handle(self, *args: object, **options: Any) -> None:
        try:
            with JobDisplay() as display:
                for corpus in corpora_named(options["corpus"]):
                    tally = build_gold(corpus, everything=options["everything"], tell=display.counter(corpus.name))
                    self.stdout.write(f"{corpus.name}: {_summary(tally)}")
        except (AlreadyBuilding, JobLost, UnknownName) as refusal:
            raise CommandError(str(refusal)) from refusal


def _summary(tally: Tally) -> str:
    waiting = f", {tally.waiting} waiting for judgements" if tally.waiting else ""
    written = (
        f"{plural(tally.gold, 'gold record')} and {plural(tally.disputes, 'dispute')} written, {tally.removed} removed"
    )
    return f"{plural(tally.profiles, 'profile')} checked{waiting}; {written}."
