"""Score Presidio against the evidence of a corpus on the command line."""

import argparse
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.lookups import UnknownName
from evaluation.management.options import chosen_corpus
from evaluation.spans.evidence.measurement import measure_evidence
from evaluation.spans.evidence.report import RESAMPLES, SEED
from evaluation.spans.evidence.scopes import NoDetection, Scope, Source, finished_run, recipe_named
from evaluation.spans.evidence.text_table import write_text


class Command(BaseCommand):
    help = "Measure how much of the evidence that people marked Presidio would have masked."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--corpus", metavar="NAME", required=True)
        parser.add_argument("--batch", metavar="NAME", help="only what was judged in this batch [all]")
        parser.add_argument("--recipe", metavar="NAME", help="a recipe's name or digest [the newest finished run]")
        parser.add_argument("--judgements", action="store_true", help="evidence of all judgements [of gold records]")
        parser.add_argument("--bootstrap", type=int, default=RESAMPLES, help=f"resamples [{RESAMPLES}]")
        parser.add_argument("--seed", type=int, default=SEED, help=f"of the resamples [{SEED}]")
        parser.add_argument("--json", action="store_true", help="print the report as JSON [as tables]")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            scope = _scope(options)
        except (UnknownName, NoDetection) as refusal:
            raise CommandError(str(refusal)) from refusal
        contents = measure_evidence(scope, bootstrap=options["bootstrap"], seed=options["seed"])
        self.stdout.write(json.dumps(contents, indent=2) if options["json"] else write_text(contents))


def _scope(options: dict[str, Any]) -> Scope:
    corpus, batch = chosen_corpus(options)
    recipe = recipe_named(options["recipe"]) if options["recipe"] else None
    source = Source.JUDGEMENTS if options["judgements"] else Source.GOLD
    return Scope(corpus, finished_run(corpus, recipe), batch, source)
