"""Draw claims of a run for a second look, and say how far the review is."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import number, plural
from evaluation.inference.baselines import BASELINES
from evaluation.inference.second_look.options import BASELINE, MIN_CONFIDENCE, DrawOptions
from evaluation.inference.second_look.queries import incompleteness_of, progress_of
from evaluation.inference.second_look.sampling import SEED, SIZE
from evaluation.inference.second_look.sections import in_words
from evaluation.inference.second_look.services import NothingToReview, draw_second_look
from evaluation.inference.second_look.state import look_at
from evaluation.management.options import at_least
from evaluation.models import EvaluationRun, SecondLook

UNKNOWN = "There is no evaluation {number}. Its number is in the address of its page."


class Command(BaseCommand):
    help = "Draw claims of a run where people found nothing, for people to review. Called again, it prints the state."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--run", type=int, required=True, metavar="NUMBER", help="of the evaluation")
        parser.add_argument("--claims", type=at_least(1), default=SIZE, metavar="N", help=f"at most [{SIZE}]")
        parser.add_argument(
            "--min-confidence", type=_share, default=MIN_CONFIDENCE, metavar="SHARE",
            help=f"of a claim, from 0 to 1, if the run states any [{MIN_CONFIDENCE}]",
        )  # fmt: skip
        parser.add_argument(
            "--controls", choices=list(BASELINES), default=BASELINE, help=f"whose guesses are mixed in [{BASELINE}]"
        )
        parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"of the draw [{SEED}]")

    def handle(self, *args: object, **options: Any) -> None:
        run = EvaluationRun.objects.filter(pk=options["run"]).first()
        if run is None:
            raise CommandError(UNKNOWN.format(number=options["run"]))
        look = look_at(run)
        if look is None:
            look = _draw(run, options)
            drawn = f"{plural(look.claim_count, 'claim')} and {plural(look.control_count, 'control')}"
            self.stdout.write(f"Drew {drawn} from {plural(look.eligible, 'claim')}.")
        self._print_state(run, look)

    def _print_state(self, run: EvaluationRun, look: SecondLook) -> None:
        progress, measured = progress_of(look), incompleteness_of(run, look)
        self.stdout.write(f"{number(progress.decided)} of {number(progress.size)} reviewed.")
        for reason, count in progress.closed:
            self.stdout.write(f"{plural(count, 'claim')} closed: {reason}")
        if measured["claims"]["reviewed"]:
            self.stdout.write(in_words(measured))
        self.stdout.write(f"Review them on the site: /evaluations/{run.pk}/second-look/")


def _draw(run: EvaluationRun, options: dict[str, Any]) -> SecondLook:
    chosen = DrawOptions(options["claims"], options["min_confidence"], options["controls"], options["seed"])
    try:
        return draw_second_look(run, chosen)
    except NothingToReview as nothing:
        raise CommandError(str(nothing)) from nothing


def _share(text: str) -> float:
    share: float = at_least(0, float)(text)
    if share > 1:
        raise argparse.ArgumentTypeError(f"“{text}” isn't a number from 0 to 1")
    return share
